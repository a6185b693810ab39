const rules: readonly { pattern: RegExp; reason: string }[] = [
  {
    pattern:
      /^\.(?:github\/(?:workflows|actions)|circleci|gitlab|buildkite|husky|githooks|woodpecker|forgejo|gitea)\/|(?:^|\/)(?:\.gitlab-ci\.ya?ml|\.travis\.yml|\.drone\.yml|\.woodpecker\.ya?ml|azure-pipelines\.ya?ml|bitbucket-pipelines\.yml|Jenkinsfile|appveyor\.yml|cloudbuild\.ya?ml|\.pre-commit-config\.yaml|lefthook\.ya?ml)$/i,
    reason: 'part of the automation of the repository',
  },
  {
    pattern:
      /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|COPILOT|ASSISTANT|SKILL)\.md$|(?:^|\/)\.(?:cursorrules|windsurfrules|clinerules|aider\.conf\.yml|mcp\.json)$|^(?:\.[^/]+\/)?\.?(?:cursor|claude|agents|windsurf|mintlify|continue|codex|gemini)\/|^\.github\/(?:copilot-instructions\.md|instructions\/|prompts\/|agents\/)/i,
    reason: 'an instruction file for assistants and agents',
  },
  {
    pattern:
      /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile\.lock|Cargo\.lock|go\.sum|composer\.lock|flake\.lock)$/i,
    reason: 'a lock file',
  },
  {
    pattern:
      /(?:^|\/)(?:package\.json|pnpm-workspace\.yaml|\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml|deno\.jsonc?|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.txt|Pipfile|Gemfile|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Makefile|justfile|Dockerfile|(?:docker-)?compose\.ya?ml|Procfile|vercel\.json|netlify\.toml|wrangler\.toml|\.readthedocs\.ya?ml)$/i,
    reason: 'a manifest that controls what is installed, built or deployed',
  },
  {
    pattern: /(?:^|\/)(?:\.gitattributes|\.gitmodules|\.lfsconfig|CODEOWNERS|\.env[\w.-]*)$/i,
    reason: 'a repository setting',
  },
]

/**
 * Says why a documentation change must not touch a file: it is executed, controls what is executed, or instructs
 * agents, so text from an untrusted page must never end up in it.
 *
 * @param path From the root of the repository.
 * @returns Completes the sentence "the file is …"; null if the file may be changed. Pure.
 */
export function protectedPathReason(path: string): string | null {
  return rules.find(({ pattern }) => pattern.test(path))?.reason ?? null
}
