import { AppError } from '../contract/app-error.ts'

/** Parses a forge's pull request number. @throws {AppError} `pull_request_not_found` if it is not one. */
export function readPullRequestNumber(id: string): number {
  if (/^[1-9]\d{0,9}$/.test(id)) return Number(id)
  throw pullRequestNotFound(id)
}

export function pullRequestNotFound(id: string): AppError {
  const message = `There is no pull request ${id.slice(0, 100)}. List the pull requests to see their ids.`
  return new AppError('pull_request_not_found', message)
}
