import { StoreName, StoreTagline } from '@nifty/api/store'
import { readBranding } from '@nifty/service-kit/base/branding'
import {
  BrandingDir,
  companyOf,
  companySettings,
  MailTokenKey,
  PublicUrl,
  parseEnv,
  withoutTrailingSlash,
} from '@nifty/service-kit/base/env'
import { keysOf } from '@nifty/service-kit/base/secrets'
import { withTls } from '@nifty/service-kit/base/smtp-url'
import { Type } from 'typebox'
import { mailLookOf } from './mails/mail-look.ts'
import { parseMailbox } from './mails/mailbox.ts'

const Env = Type.Object({
  PUBLIC_URL: PublicUrl,
  /** Checked here, because the client of the mail server is created by the first mail. */
  SMTP_URL: Type.String({ pattern: '^smtps?://[^\\s/]+/?(\\?\\S*)?$' }),
  MAIL_TOKEN_KEY: MailTokenKey,
  /** `From` of every mail: `Name <name@example.com>`, or an address, to which the name of the store is added. */
  MAIL_FROM: Type.String({ default: 'hello@store.example' }),
  /** Receives the messages of the contact page. */
  OPERATOR_EMAIL: Type.String({ default: 'operator@store.example' }),
  STORE_NAME: StoreName,
  STORE_TAGLINE: StoreTagline,
  BRANDING_DIR: Type.Optional(BrandingDir),
  COMPANY_NAME: companySettings.name,
  COMPANY_NUMBER: companySettings.number,
  COMPANY_REGISTER: companySettings.register,
  COMPANY_ADDRESS: companySettings.address,
  COMPANY_EMAIL: companySettings.email,
})

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = parseEnv(Env, env)
  const from = parseMailbox(values.MAIL_FROM)
  if (!from) throw new Error('MAIL_FROM is no `Name <name@example.com>` and no address')
  return {
    store: {
      publicUrl: withoutTrailingSlash(values.PUBLIC_URL),
      name: values.STORE_NAME,
      tagline: values.STORE_TAGLINE,
      company: companyOf(values),
      look: mailLookOf(readBranding(values.BRANDING_DIR), withoutTrailingSlash(values.PUBLIC_URL)),
    },
    smtpUrl: withTls(values.SMTP_URL),
    /** Decrypts the tokens of links. */
    mailTokenKeys: keysOf(values.MAIL_TOKEN_KEY),
    from: { ...from, name: from.name || values.STORE_NAME },
    operatorEmail: values.OPERATOR_EMAIL,
  }
}
