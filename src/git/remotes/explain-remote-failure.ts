import { AppError } from '../../contract/app-error.ts'
import { type GitRemote, findReason } from '../run-git.ts'

export type RemoteFailureReason = 'unauthorized' | 'not-found' | 'unavailable' | 'other'

/** A command failed at a remote repository. The message is for the owner of the site. */
export class RemoteFailureError extends AppError {
  readonly reason: RemoteFailureReason

  constructor(reason: RemoteFailureReason, message: string) {
    super('invalid_request', message)
    this.reason = reason
  }
}

/** Explains git's messages to the owner of a site; the first match counts. */
const explanations: readonly { pattern: RegExp; reason: RemoteFailureReason; message: string }[] = [
  {
    pattern: /could not read Username|Authentication failed|error: 401|error: 403/i,
    reason: 'unauthorized',
    message: 'The repository requires a different credential. Provide a token with read access.',
  },
  {
    pattern: /not found|error: 404/i,
    reason: 'not-found',
    message: 'The repository was not found. Check its address; a private one also needs a credential with read access.',
  },
  {
    pattern: /unable to update url base from redirection|error: 30\d/i,
    reason: 'other',
    message: 'The repository has moved. Use the address that its old one redirects to.',
  },
  {
    pattern: /Could not resolve host|Failed to connect|Connection refused|timed out|Operation too slow/i,
    reason: 'unavailable',
    message: 'The host of the repository does not answer. Try again later, or check its address.',
  },
  {
    pattern: /SSL|certificate/i,
    reason: 'unavailable',
    message:
      "This machine does not trust the host's certificate. Install its certificate authority, or use another host.",
  },
]

/**
 * Explains the failure of a command at a remote repository. The server controls part of git's output and may echo the
 * request, so the credential is removed.
 */
export function explainRemoteFailure(remote: GitRemote, stderr: string): RemoteFailureError {
  const known = explanations.find(({ pattern }) => pattern.test(stderr))
  if (known !== undefined) return new RemoteFailureError(known.reason, known.message)
  const reason = findReason(redact(stderr, remote))
  return new RemoteFailureError('other', `The repository cannot be read: ${reason}. Try again, or check its address.`)
}

/** Removes the credential in all its forms: the header, its token, and the URL-encoded token. */
function redact(text: string, { authorization }: GitRemote): string {
  if (authorization === null) return text
  const encoded = authorization.replace(/^Basic /, '')
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const token = pair.slice(pair.indexOf(':') + 1)
  const forms = [encoded, pair, token, encodeURIComponent(token), Buffer.from(token).toString('base64')]
  return forms.reduce((clean, form) => (form === '' ? clean : clean.replaceAll(form, '(hidden)')), text)
}
