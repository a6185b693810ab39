import type { Role } from '../../../src/contract/accounts.ts'
import { say } from '../../words/say.ts'

export const roleNames: Readonly<Record<Role, string>> = {
  viewer: say('viewer'),
  editor: say('editor'),
  owner: say('owner'),
}

/** What a person is or becomes, within a sentence. */
export const rolesWithArticle: Readonly<Record<Role, string>> = {
  viewer: say('a viewer'),
  editor: say('an editor'),
  owner: say('an owner'),
}
