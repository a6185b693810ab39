import { Bot, GitPullRequest, KeyRound, type LucideIcon, MessagesSquare, UserRound } from 'lucide-react'
import type { FoundObject } from '../../../../src/contract/operations/objects.ts'
import type { Command } from './command.ts'
import { type CommandContext, paramsOf } from './page-commands.ts'
import { say } from '../../../words/say.ts'

interface ObjectKind {
  name: string
  icon: LucideIcon
  /** Also when its kind is typed. */
  words: string
  to?: string
  /** Further path parameter that names the object. */
  param?: string
}

const kinds: Readonly<Record<FoundObject['kind'], ObjectKind>> = {
  key: { name: say('API key'), icon: KeyRound, words: 'token', to: '/$organization/keys' },
  job: { name: say('Job'), icon: Bot, words: '', to: '/$organization/jobs/$jobId', param: 'jobId' },
  conversation: {
    name: say('Conversation'),
    icon: MessagesSquare,
    words: say('chat thread question'),
    to: '/$organization/$domain/conversations/$thread',
    param: 'thread',
  },
  'pull-request': { name: say('Pull request'), icon: GitPullRequest, words: say('pr merge') },
  member: { name: say('Member'), icon: UserRound, words: say('user person'), to: '/$organization/members' },
}

export function toObjectCommand(found: FoundObject, context: CommandContext): Command {
  const { kind, id, title, detail, siteId, path } = found
  const { name, icon, words, to, param } = kinds[kind]
  const site = context.sites.find((each) => each.id === siteId) ?? null
  return {
    id: ['object', kind, siteId, id].join(' '),
    label: title,
    detail: detail === '' ? name : `${name} · ${detail}`,
    words,
    icon,
    siteId: null,
    isObject: true,
    run: () => {
      if (to === undefined) return location.assign(path ?? '')
      const params = { ...paramsOf(context, site), ...(param !== undefined && { [param]: id }) }
      return context.go({ to, params, search: {} })
    },
  }
}
