import { MailTokenKey, PublicUrl, parseEnv, withoutTrailingSlash } from '@nifty/service-kit/base/env'
import { Type } from 'typebox'

const Env = Type.Object({
  PUBLIC_URL: PublicUrl,
  /** Checked here, because the client of the mail server is created by the first mail. */
  SMTP_URL: Type.String({ pattern: '^smtps?://[^\\s/]+/?(\\?\\S*)?$' }),
  MAIL_TOKEN_KEY: MailTokenKey,
  /** `From` of every mail. */
  MAIL_FROM: Type.String({ default: 'Nifty <hello@nifty.example>' }),
  /** Receives the messages of the contact page. */
  OPERATOR_EMAIL: Type.String({ default: 'operator@nifty.example' }),
})

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = parseEnv(Env, env)
  return {
    publicUrl: withoutTrailingSlash(values.PUBLIC_URL),
    smtpUrl: values.SMTP_URL,
    /** Decrypts the tokens of links. */
    mailTokenKey: values.MAIL_TOKEN_KEY,
    from: values.MAIL_FROM,
    operatorEmail: values.OPERATOR_EMAIL,
  }
}
