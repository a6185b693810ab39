import type { CodeHost } from './code-host.ts'
import type { ForgeHostDeps, ForgeRepository } from './forge/forge-host.ts'

/** The code host of a repository on a forge. What a forge needs is loaded with its first repository. */
export async function openForgeHost(deps: ForgeHostDeps, repository: ForgeRepository): Promise<CodeHost> {
  switch (repository.kind) {
    case 'github':
      return (await import('./github/github-code-host.ts')).openGithubCodeHost(deps, repository)
    case 'gitlab':
      return (await import('./gitlab/gitlab-code-host.ts')).openGitlabCodeHost(deps, repository)
    case 'gitea':
      return (await import('./gitea/gitea-code-host.ts')).openGiteaCodeHost(deps, repository)
  }
}
