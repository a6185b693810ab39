import { ForgeError } from './forge-error.ts'

/** A forge's error reply. */
export interface ForgeRefusal {
  /** Below 500. */
  status: number
  /** The forge's own words, on one line of at most 300 characters, without the token. */
  words: string
  /** The parsed body; null if it is not JSON. */
  body: unknown
  hasCredential: boolean
}

/** Remedies for the repository's owner, in the forge's terms. */
export interface ForgeRemedies {
  /** The token to create, such as `with the scope "api"`. */
  token: string
  /** How to give its account write access, such as `Give it the role Developer there`. */
  write: string
  /** The membership its account needs to see the repository, such as `a member`. */
  membership: string
  /** A remedy for a token that gives access to the repository, but not through git. */
  git: string
  /** Finds the missing scope; null if the forge does not name one. */
  readMissingScope(refusal: ForgeRefusal): string | null
}

/** @param forge.name Shown in messages, such as `GitLab (gitlab.com)`. */
export function explainRefusal(
  refusal: ForgeRefusal,
  { name, path, remedies }: { name: string; path: string; remedies: ForgeRemedies },
): ForgeError {
  const { status, words } = refusal
  const scope = remedies.readMissingScope(refusal)
  if (scope !== null) {
    return new ForgeError(
      'forbidden',
      `The token for ${name} lacks "${scope}". Create one ${remedies.token} and store it as the credential of the site.`,
    )
  }
  switch (status) {
    case 401:
      return new ForgeError('unauthorized', explainUnauthorized(name, remedies.token, refusal.hasCredential))
    case 403:
    case 423:
      return new ForgeError(
        'forbidden',
        `${name} does not let the token's account do this in ${path}${quote(words)}. ${remedies.write}, and check the branch rules.`,
      )
    case 404:
      return new ForgeError(
        'not-found',
        `${name} does not show ${path}, or the requested item in it. Check the address, and that the token's account is ${remedies.membership}.`,
      )
    case 405:
    case 409:
    case 412:
      return new ForgeError(
        'conflict',
        `${name} cannot do this to ${path} in its current state${quote(words)}. Try again.`,
      )
    default:
      return new ForgeError('invalid', `${name} rejected the request (${status})${quote(words)}.`)
  }
}

function explainUnauthorized(name: string, token: string, hasCredential: boolean): string {
  if (!hasCredential) return `${name} requires a token. Store one ${token} as the credential of the site.`
  return `${name} rejected the token: it is wrong, has expired or was revoked. Create a new one ${token} and store it as the credential of the site.`
}

function quote(words: string): string {
  return words === '' ? '' : `: ${words.replace(/[.\s]+$/, '')}`
}
