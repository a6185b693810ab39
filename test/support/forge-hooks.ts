import type { Hook } from 'gitea-js'

/** A webhook of a repository, as a fake of a forge keeps it. */
export interface ForgeHook {
  id: number
  url: string
  secret: string
  /** What it was made or changed with, as it came. */
  given: Readonly<Record<string, unknown>>
}

interface HookRequest {
  method: string
  /** In the address; undefined for all of them. */
  id: string | undefined
  hook: Omit<ForgeHook, 'id'>
  /** As the forge shows it: without the secret. */
  show(hook: ForgeHook): object
}

/** The webhooks of a repository. */
export class ForgeHooks {
  readonly all: ForgeHook[] = []

  /** Lists, adds or changes. @returns Null for the number of none. */
  answer({ method, id, hook, show }: HookRequest): { status: number; body: object } | null {
    if (method === 'GET') return { status: 200, body: this.all.map(show) }
    if (method === 'POST') return { status: 201, body: show(this.add(hook)) }
    const changed = this.change(Number(id), hook)
    return changed === null ? null : { status: 200, body: show(changed) }
  }

  add(hook: Omit<ForgeHook, 'id'>): ForgeHook {
    const added = { id: this.all.length + 1, ...hook }
    this.all.push(added)
    return added
  }

  /** @returns Null where there is none of that number. */
  change(id: number, change: Omit<ForgeHook, 'id'>): ForgeHook | null {
    const known = this.all.find((hook) => hook.id === id)
    return known === undefined ? null : Object.assign(known, change)
  }
}

type Body = Readonly<Record<string, unknown>> | null

const readText = (value: unknown) => (typeof value === 'string' ? value : '')

/** How Gitea reads and shows a webhook. */
export function giteaHooks(body: Body): Pick<HookRequest, 'hook' | 'show'> {
  const config = (body?.['config'] ?? {}) as Record<string, string> // Held against the published schema before.
  return {
    hook: { url: readText(config['url']), secret: readText(config['secret']), given: body ?? {} },
    show: ({ id, url }) => ({ id, type: 'gitea', active: true, config: { url, content_type: 'json' } }) satisfies Hook,
  }
}

/** How GitLab reads and shows a webhook. */
export function gitlabHooks(body: Body): Pick<HookRequest, 'hook' | 'show'> {
  return {
    hook: { url: readText(body?.['url']), secret: readText(body?.['token']), given: body ?? {} },
    show: ({ id, url }) => ({ id, url, project_id: 42 }),
  }
}
