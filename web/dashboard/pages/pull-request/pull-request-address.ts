export interface PullRequestAddress {
  secret: string
  number: string
}

/** Parses the address of a pull request, which is outside `/dashboard`; null for any other. */
export function readPullRequestAddress(path: string): PullRequestAddress | null {
  const [, secret, number] = /^\/pull\/([\w-]+)\/(\d+)$/.exec(path) ?? []
  return secret === undefined || number === undefined ? null : { secret, number }
}

export function pullRequestPath({ secret, number }: PullRequestAddress): string {
  return `/pull/${secret}/${number}`
}
