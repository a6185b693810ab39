import type { ForgeKind } from '../contract/code-hosts.ts'
import type { ForgeAdapter } from './forge/forge-adapter.ts'
import { bitbucketAdapter } from './bitbucket/bitbucket-adapter.ts'
import { giteaAdapter } from './gitea/gitea-adapter.ts'
import { githubAdapter } from './github/github-adapter.ts'
import { gitlabAdapter } from './gitlab/gitlab-adapter.ts'

export const forgeAdapters: Readonly<Record<ForgeKind, ForgeAdapter>> = {
  github: githubAdapter,
  gitlab: gitlabAdapter,
  gitea: giteaAdapter,
  bitbucket: bitbucketAdapter,
}
