import { z } from 'zod'
import { setting } from './setting-shapes.ts'

export const mailSettings = {
  smtpUrl: setting(
    z
      .url({
        protocol: /^smtps?$/,
        error: 'is not an address such as smtps://user:password@mail.example.com:465',
      })
      .optional(),
    {
      env: 'DOCENT_SMTP_URL',
      description:
        "The mail server for readers' messages and digests, such as `smtps://user:password@mail.example.com:465`. `smtp:` also encrypts if the server offers it.",
      defaultText: 'none: no e-mails are sent',
      isSecret: true,
    },
  ),
  mailFrom: setting(z.email({ error: 'is not an e-mail address' }).optional(), {
    env: 'DOCENT_MAIL_FROM',
    description: 'The sender of e-mails. Required with `DOCENT_SMTP_URL`.',
    defaultText: 'none',
  }),
}
