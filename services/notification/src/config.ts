import { parseEnv } from '@nifty/service-kit/config'
import { Type } from 'typebox'

const Env = Type.Object({
  PUBLIC_URL: Type.String({ default: 'http://localhost:8080' }),
  SMTP_URL: Type.String({ minLength: 1 }),
  /** `From` of every mail. */
  MAIL_FROM: Type.String({ default: 'Nifty <hello@nifty.example>' }),
  /** Receives the messages of the contact page. */
  OPERATOR_EMAIL: Type.String({ default: 'operator@nifty.example' }),
})

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = parseEnv(Env, env)
  return {
    publicUrl: values.PUBLIC_URL.replace(/\/+$/, ''),
    smtpUrl: values.SMTP_URL,
    from: values.MAIL_FROM,
    operatorEmail: values.OPERATOR_EMAIL,
  }
}
