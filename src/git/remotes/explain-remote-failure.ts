import { AppError } from '../../contract/app-error.ts'
import type { GitRemote } from '../run-git.ts'

const reasonCharsMax = 300

export type RemoteFailureReason = 'unauthorized' | 'not-found' | 'unavailable' | 'other'

/** A command that spoke to a repository on the network failed there. The message is for the owner of the site. */
export class RemoteFailureError extends AppError {
  readonly reason: RemoteFailureReason

  constructor(reason: RemoteFailureReason, message: string) {
    super('invalid_request', message)
    this.reason = reason
  }
}

/** What git's words mean for the owner of a site; the first that matches counts. */
const explanations: readonly { pattern: RegExp; reason: RemoteFailureReason; message: string }[] = [
  {
    pattern: /could not read Username|Authentication failed|error: 401|error: 403/i,
    reason: 'unauthorized',
    message: 'The repository asks for another credential. Give a token that may read it.',
  },
  {
    pattern: /not found|error: 404/i,
    reason: 'not-found',
    message: 'The repository was not found. Check its address; a private one also needs a credential that may read it.',
  },
  {
    pattern: /unable to update url base from redirection|error: 30\d/i,
    reason: 'other',
    message: 'The repository has moved: its address redirects. Use the address that it redirects to.',
  },
  {
    pattern: /Could not resolve host|Failed to connect|Connection refused|timed out|Operation too slow/i,
    reason: 'unavailable',
    message: 'The host of the repository does not answer. Try again later, or check its address.',
  },
  {
    pattern: /SSL|certificate/i,
    reason: 'unavailable',
    message: 'The certificate of the host is not trusted by this machine. Install its authority, or use another host.',
  },
]

/**
 * The failure of a command that spoke to a repository, in a sentence. The server writes part of git's words and may
 * repeat what it was sent, so that the credential is taken out of them.
 */
export function explainRemoteFailure(remote: GitRemote, stderr: string): RemoteFailureError {
  const known = explanations.find(({ pattern }) => pattern.test(stderr))
  if (known !== undefined) return new RemoteFailureError(known.reason, known.message)
  const line = stderr.split('\n').find((text) => /^(?:fatal|error):/.test(text)) ?? 'it gave no reason'
  const reason = redact(line, remote).slice(0, reasonCharsMax)
  return new RemoteFailureError('other', `The repository cannot be read: ${reason}. Try again, or check its address.`)
}

/** Takes every form of the credential out: the header, its token, and the token encoded for an address. */
function redact(text: string, { authorization }: GitRemote): string {
  if (authorization === null) return text
  const encoded = authorization.replace(/^Basic /, '')
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const token = pair.slice(pair.indexOf(':') + 1)
  const forms = [encoded, pair, token, encodeURIComponent(token), Buffer.from(token).toString('base64')]
  return forms.reduce((clean, form) => (form === '' ? clean : clean.replaceAll(form, '(hidden)')), text)
}
