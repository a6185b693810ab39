const rules: readonly { pattern: RegExp; reason: string }[] = [
  {
    pattern:
      /^\.(?:github\/(?:workflows|actions)|circleci|gitlab|buildkite|husky|githooks|woodpecker|forgejo|gitea)\/|(?:^|\/)(?:\.gitlab-ci\.ya?ml|\.travis\.yml|\.drone\.yml|\.woodpecker\.ya?ml|azure-pipelines\.ya?ml|bitbucket-pipelines\.yml|Jenkinsfile|appveyor\.yml|cloudbuild\.ya?ml|\.pre-commit-config\.yaml|lefthook\.ya?ml)$/i,
    reason: 'part of the automation that runs on the repository',
  },
  {
    pattern:
      /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|COPILOT|ASSISTANT|SKILL)\.md$|(?:^|\/)\.(?:cursorrules|windsurfrules|clinerules|aider\.conf\.yml|mcp\.json)$|^(?:\.[^/]+\/)?\.?(?:cursor|claude|agents|windsurf|mintlify|continue|codex|gemini)\/|^\.github\/(?:copilot-instructions\.md|instructions\/|prompts\/|agents\/)/i,
    reason: 'an instruction for assistants and agents',
  },
  {
    pattern:
      /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile\.lock|Cargo\.lock|go\.sum|composer\.lock|flake\.lock)$/i,
    reason: 'a lock file',
  },
  {
    pattern:
      /(?:^|\/)(?:package\.json|pnpm-workspace\.yaml|\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml|deno\.jsonc?|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.txt|Pipfile|Gemfile|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Makefile|justfile|Dockerfile|(?:docker-)?compose\.ya?ml|Procfile|vercel\.json|netlify\.toml|wrangler\.toml|\.readthedocs\.ya?ml)$/i,
    reason: 'a manifest that says what is installed, built or deployed',
  },
  {
    pattern: /(?:^|\/)(?:\.gitattributes|\.gitmodules|\.lfsconfig|CODEOWNERS|\.env[\w.-]*)$/i,
    reason: 'a setting of the repository',
  },
]

/**
 * Why a file is not to be changed by who only writes documentation: it runs, decides what is run, or tells agents what to
 * do, so that text from an untrusted page must never end in it.
 *
 * @param path From the root of the repository.
 * @returns The end of the sentence "the file is …"; null for a file that may be changed. Pure.
 */
export function protectedPathReason(path: string): string | null {
  return rules.find(({ pattern }) => pattern.test(path))?.reason ?? null
}
