import type { CommitSignature } from '../../git/run-git.ts'

/** The person who acts on a pull request. */
export interface Person {
  /** `user:…` or `key:…`. */
  id: string
  /** Display name. */
  name: string
}

/** The service commits for people, and receives no mail either. */
export const serviceIdentity = { name: 'Docent', email: 'docent@localhost' }

/** Git refuses names without a letter or digit, and addresses with other characters. */
export function signAs({ id, name }: Person, at: number): CommitSignature {
  const written = name.replace(/[<>\p{C}\p{Zl}\p{Zp}]/gu, '').trim()
  const email = `${id.replace(/[^\w.-]+/g, '-')}@localhost`
  return { name: /[\p{L}\p{N}]/u.test(written) ? written : 'A member', email, at }
}
