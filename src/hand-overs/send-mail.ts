/** Why a mail server did not take an e-mail, as a sentence for the owner. */
export class MailError extends Error {
  override readonly name = 'MailError'
  /** Whether another attempt may succeed. */
  readonly isPassing: boolean

  constructor(message: string, isPassing: boolean, options?: ErrorOptions) {
    super(message, options)
    this.isPassing = isPassing
  }
}

export interface Mail {
  to: readonly string[]
  replyTo: string | null
  subject: string
  /** Plain text. */
  text: string
  /** The same for each attempt, so that the recipient's server can drop a second copy. Letters, digits, `_`. */
  id: string
}

/** @throws {MailError} */
export type SendMail = (mail: Mail) => Promise<void>

const timeoutMs = 30_000

/** @param url `smtp://user:password@host:port`, or `smtps:`. Undefined if none is configured. */
export function createMailer(url: string | undefined, from: string | undefined): SendMail {
  if (url === undefined || from === undefined) {
    const message = 'No mail server is configured. Set DOCENT_SMTP_URL and DOCENT_MAIL_FROM, then send again.'
    return () => Promise.reject(new MailError(message, false))
  }
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
  const domain = from.replace(/^.*@/, '').replace(/[^\w.-]/g, '') || 'localhost'
  return async ({ to, replyTo, subject, text, id }) => {
    const message = { from, to: [...to], subject, text, messageId: `<${id}@${domain}>` }
    const reply = replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }
    // Loaded for the first mail: it is a large library, and most processes send none.
    const { createTransport } = await import('nodemailer')
    // The library reads files and addresses in messages otherwise.
    const transport = createTransport({ url, ...timeouts }, { disableFileAccess: true, disableUrlAccess: true })
    await transport.sendMail({ ...message, ...reply }).catch((error: unknown) => {
      throw explain(error)
    })
  }
}

function explain(error: unknown): MailError {
  const [code, status] = error instanceof Error ? [Reflect.get(error, 'code'), Reflect.get(error, 'responseCode')] : []
  const reason = typeof status === 'number' ? `answered ${status}` : `failed (${String(code)})`
  // Below 500, the server asks to try again.
  const isPassing = typeof status !== 'number' || status < 500
  const message = `The mail server ${reason}. Check DOCENT_SMTP_URL, DOCENT_MAIL_FROM and the recipients.`
  return new MailError(message, isPassing, { cause: error })
}
