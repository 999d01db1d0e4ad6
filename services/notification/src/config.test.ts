import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const env = (SMTP_URL: string) => ({ SMTP_URL, MAIL_TOKEN_KEY: 'k'.repeat(64) })

test.each(['mail.example:25', 'smtps://user:two words@mail.example', 'https://mail.example'])(
  'a service with the mail server %s does not start',
  (url) => {
    expect(() => readConfig(env(url))).toThrow('SMTP_URL')
  },
)

test.each(['smtp://127.0.0.1:1025', 'smtps://user%40store.example:p%2Fw@mail.example:465/?pool=true'])(
  'the mail server %s is accepted',
  (url) => {
    expect(readConfig(env(url)).smtpUrl).toBe(url)
  },
)
