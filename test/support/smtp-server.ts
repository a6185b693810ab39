import { createServer, type Socket, type AddressInfo } from 'node:net'

export interface ReceivedMail {
  recipients: string[]
  /** Headers and text, as they were sent. */
  source: string
}

/** A mail server, as far as RFC 5321 needs it to take mail. */
export interface SmtpServer extends AsyncDisposable {
  url: string
  readonly mails: readonly ReceivedMail[]
  /** What it says to the end of a mail, such as `451 Try again later`. */
  reply: string
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    receive(socket, (mail) => {
      if (smtp.reply.startsWith('2')) mails.push(mail)
      return smtp.reply
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A server that listens on a port has an address of this kind.
  const smtp: SmtpServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    reply: '250 Taken',
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
  return smtp
}

function receive(socket: Socket, take: (mail: ReceivedMail) => string): void {
  let recipients: string[] = []
  let lines: string[] | null = null
  let rest = ''
  socket.write('220 mail.example.com\r\n')
  socket.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('latin1')).split('\r\n')
    rest = parts.pop() ?? ''
    for (const line of parts) socket.write(answer(line))
  })

  function answer(line: string): string {
    if (lines !== null) {
      if (line !== '.') {
        lines.push(line.replace(/^\./, ''))
        return ''
      }
      const mail = { recipients, source: lines.join('\n') }
      recipients = []
      lines = null
      return `${take(mail)}\r\n`
    }
    const [verb = ''] = line.toUpperCase().split(/[ :]/)
    if (verb === 'RCPT') recipients.push(/<(.*?)>/.exec(line)?.[1] ?? '')
    if (verb === 'DATA') lines = []
    return verb === 'DATA' ? '354 Go on\r\n' : verb === 'QUIT' ? '221 Bye\r\n' : '250 mail.example.com\r\n'
  }
}
