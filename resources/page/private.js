// Which words name a secret: whole words in what a field is called, and parts of words where a language puts them together.
(() => {
  const S = globalThis.signalbox;
  if (S.namesSecret) return;
  const list = (text) => text.split(',').map((words) => words.trim());
  // A short word counts only when it stands alone: "pin" does, "opinion" and "spinner" do not.
  const WHOLE = list('pin, userpin, newpin, pinnumber, pinpad, pincode, otp, otps, totp, otpcode, smsotp, pwd, pwds, psw, pswd, pass word, user pass, login pass, '
    + 'new pass, old pass, pass phrase, pass code, pass key, passkey, cc, ccn, ccno, ccnum, ccnumber, ccname, cccode, ccexp, '
    + 'cc number, csc, iban, ibannumber, ibannr, ssn, ssnumber, social security, socialsecurity, socialsecuritynumber, social insurance, '
    + 'card number, card num, card no, card nr, card holder, card code, card security, cardholder, cardholdername, cardcode, cardno, '
    + 'cardnr, credit card, creditcard, debit card, debitcard, security code, securitycode, verification code, '
    + 'verificationcode, verify code, verifycode, access code, accesscode, auth code, authcode, authentication code, '
    + 'authenticator code, authorization code, one time code, onetimecode, one time key, onetime code, two factor, twofactor, '
    + '2 fa, 2fa, mfa, sms code, smscode, recovery code, recoverycode, recovery phrase, recovery key, backup code, backup codes, '
    + 'seed phrase, seedphrase, api key, apikey, private key, '
    + 'privatekey, access key, accesskey, encryption key, security answer, '
    // French, Spanish, Portuguese, Italian, German, Dutch
    + 'mot de passe, motdepasse, mdp, code secret, code confidentiel, code de securite, code de verification, code d acces, '
    + 'code a usage unique, numero de carte, clave de acceso, clave secreta, codigo de seguridad, codigo de verificacion, '
    + 'codigo de acceso, numero de tarjeta, senha, senhas, palavra passe, codigo de seguranca, codigo de verificacao, '
    + 'numero do cartao, parola d ordine, codice di sicurezza, codice di verifica, codice di accesso, codice segreto, '
    + 'numero della carta, numero di carta, geheimzahl, bestatigungscode, zugangscode, sicherheitscode, sicherheitsschlussel, '
    + 'prufziffer, toegangscode, beveiligingscode, verificatiecode, '
    // the North and the East
    + 'sakerhetskod, sikkerhedskode, sikkerhetskode, bekraftelsekod, turvakoodi, kod pin, numer karty, kod bezpieczenstwa, hasło, haslo, heslo, '
    + 'jelszo, sifre, sifreniz, kata sandi, mat khau, пин, пин код, пинкод, код подтверждения, номер карты');
  const PART = list('token, passwor, passwd, passcode, passphrase, userpwd, cvv, cvc, cardnum, cardpin, kennwort, losungswort, kreditkartennummer, '
    + 'kartennummer, kartenpruf, contrasena, contrasenya, wachtwoord, losenord, adgangskode, passord, salasana, kortnummer, '
    + 'парол, κωδικος προσβασης, συνθηματικ, كلمة المرور, كلمة السر, סיסמה, סיסמא, पासवर्ड, รหัสผ่าน, 密码, 密碼, 口令, 验证码, 驗證碼, 安全码, '
    + '安全碼, 卡号, 卡號, パスワード, 暗証番号, 認証コード, 確認コード, セキュリティコード, カード番号, 비밀번호, 암호, 인증번호, 카드 번호, 카드번호');
  // Alone it is the word for a password, beside others it is one for much else.
  const ALONE = list('pass, passe, clave, parola');

  const FAR = /[^\0-\x7f]/, MARKS = /\p{M}+/gu;
  const flat = (text) => FAR.test(text) ? text.normalize('NFKD').replace(MARKS, '') : text;
  const either = (all) => all.map(flat).join('|');
  const whole = new RegExp(' (?:' + either(WHOLE) + ') '), part = new RegExp(either(PART) + '|secret(?![ai])'), alone = new RegExp('^ (?:' + either(ALONE) + ')(?: \\d+)? $');
  // Most texts hold not even the beginning of any.
  const hint = new RegExp([...new Set([...WHOLE, ...ALONE].map((words) => flat(words).split(' ')[0]).concat(PART.map(flat), 'secret'))].join('|') + '|[^\\0-\\x7f]', 'i');
  const tokens = (text) => ' ' + text.toLowerCase().replace(/\d+/g, ' $& ').replace(/[^\p{L}\d]+/gu, ' ').trim() + ' ';
  const parted = (text) => text.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ').replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ');
  let last = '', was = false;  // fields that stand together are often called the same
  S.namesSecret = (text) => {
    if (text === last) return was;
    was = hint.test(text) && names(text);
    last = text;
    return was;
  };
  const names = (text) => {
    const plain = flat(text.slice(0, 300)), close = tokens(plain), apart = tokens(parted(plain));
    return [close, apart].some((words) => whole.test(words) || part.test(words) || alone.test(words));
  };
})();
