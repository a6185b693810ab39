interface PathRule {
  pattern: RegExp
  /** Completes the sentence "the file is …". */
  reason: string
}

/** Files at any depth, and folders whose every file is meant; compared in lower case. */
const anyFile = (names: string) => new RegExp(`(?:^|/)(?:${names})$`, 'i')
const anyFolder = (names: string) => new RegExp(`(?:^|/)(?:${names})/`, 'i')

/** What no change of documentation may touch, whatever the owner allows. */
const closed: readonly PathRule[] = [
  {
    pattern: anyFolder(
      String.raw`\.github|\.gitlab|\.gitea|\.forgejo|\.circleci|\.buildkite|\.woodpecker|\.azuredevops|\.azure-pipelines|\.teamcity|\.semaphore|\.drone|\.mergify|\.changeset|\.husky|\.githooks|\.dagger`,
    ),
    reason: 'part of the automation of the repository',
  },
  {
    pattern: anyFile(
      String.raw`\.gitlab-ci[\w.-]*\.ya?ml|\.travis\.ya?ml|\.drone\.ya?ml|\.woodpecker[\w.-]*\.ya?ml|azure-pipelines[\w.-]*\.ya?ml|bitbucket-pipelines\.ya?ml|jenkinsfile[\w.-]*|\.?appveyor\.ya?ml|cloudbuild\.ya?ml|\.cirrus\.(?:ya?ml|star)|earthfile|dagger\.json|buildspec\.ya?ml|action\.ya?ml|\.pre-commit-config\.ya?ml|\.?lefthook[\w.-]*\.(?:ya?ml|toml|json)|dependabot\.ya?ml|\.?renovate(?:rc)?(?:\.json5?)?|\.?mergify\.ya?ml|\.kodiak\.toml|release-please-config\.json|\.coderabbit\.ya?ml|\.pr_agent\.toml`,
    ),
    reason: 'part of the automation of the repository',
  },
  {
    pattern: anyFile(
      String.raw`(?:(?:agents|claude)(?:\.[\w.-]+)?|copilot-instructions|[^/]+\.(?:prompt|instructions|chatmode|agent))\.md|\.(?:cursor|windsurf|cline|roo|goose)[\w.-]*|\.aider[\w.-]*|\.?mcp\.json|llms(?:-full)?\.txt`,
    ),
    reason: 'an instruction file for assistants and agents',
  },
  {
    // Below the root, pages about these products have such names in lower case.
    pattern:
      /^(?:gemini|qwen|warp|crush|copilot|assistant|skill|agent|codex|jules|amp|replit|opencode|conventions)\.md$/i,
    reason: 'an instruction file for assistants and agents',
  },
  {
    pattern: /(?:^|\/)(?:GEMINI|QWEN|WARP|CRUSH|COPILOT|ASSISTANT|SKILL|AGENT|CODEX|JULES|AMP|REPLIT|OPENCODE)\.md$/,
    reason: 'an instruction file for assistants and agents',
  },
  {
    pattern: anyFolder(
      String.raw`\.(?:cursor|claude|agents|windsurf|continue|codex|gemini|mintlify|clinerules|roo|aider|kiro|junie|amazonq|opencode|kilocode|trae|augment|qwen|factory|crush)`,
    ),
    reason: 'an instruction file for assistants and agents',
  },
  {
    pattern: anyFile(
      String.raw`package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|uv\.lock|pdm\.lock|pipfile\.lock|gemfile\.lock|cargo\.lock|go\.sum|composer\.lock|flake\.lock`,
    ),
    reason: 'a lock file',
  },
  {
    pattern: anyFile(
      String.raw`\.git|\.gitattributes|\.gitmodules|\.gitignore|\.gitconfig|\.lfsconfig|\.mailmap|codeowners|pull_request_template\.md|issue_template\.md|\.env[\w.-]*|\.envrc|\.netrc|\.npmrc|\.pypirc|funding\.ya?ml|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]*\.(?:pem|key|p12|pfx|keystore)`,
    ),
    reason: 'a repository setting',
  },
  { pattern: /(?:^|\/)SECURITY\.md$/, reason: 'where people report vulnerabilities' },
  {
    pattern: anyFolder(String.raw`\.git|pull_request_template|issue_template|\.well-known|\.ssh|\.aws|\.docker|\.kube`),
    reason: 'a repository setting',
  },
]

/** What is executed or decides what is: an owner may allow it by path. */
const executed: readonly PathRule[] = [
  {
    pattern: anyFile(
      String.raw`package\.json|pnpm-workspace\.yaml|\.pnpmfile\.cjs|\.yarnrc(?:\.ya?ml)?|bunfig\.toml|deno\.jsonc?|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.(?:txt|in)|pipfile|gemfile|cargo\.toml|go\.mod|go\.work|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|[\w.-]*makefile|justfile|taskfile\.ya?ml|dockerfile[\w.-]*|containerfile|(?:docker-)?compose[\w.-]*\.ya?ml|procfile|\.?mise\.toml|\.tool-versions|\.nvmrc|\.node-version|\.python-version|\.ruby-version|turbo\.json|nx\.json|lerna\.json|tsconfig[\w.-]*\.json|babel[\w.-]*|postcss[\w.-]*|vercel\.(?:json|ts)|netlify\.toml|wrangler\.(?:toml|jsonc?)|_headers|_redirects|_worker\.js|firebase\.json|staticwebapp\.config\.json|amplify\.ya?ml|render\.ya?ml|fly\.toml|\.readthedocs\.ya?ml|cname|robots\.txt`,
    ),
    reason: 'a manifest that controls what is installed, built or deployed',
  },
  { pattern: anyFile(String.raw`docent\.tests\.ya?ml`), reason: 'the tests that judge the documentation' },
  { pattern: anyFolder(String.raw`\.devcontainer|\.vscode|\.idea|functions|netlify`), reason: 'run by tools' },
  {
    pattern: anyFile(String.raw`[\w.-]*\.config\.[cm]?[jt]sx?|\.[\w-]+rc(?:\.[\w]+)?`),
    reason: 'configuration that is executed',
  },
  {
    pattern: anyFile(
      String.raw`[^/]+\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|rb|php|pl|lua|go|rs|java|kt|swift|c|cc|cpp|h|cs|sh|bash|zsh|fish|ps1|bat|cmd|wasm|jinja2?|njk|liquid|hbs|ejs|tmpl)`,
    ),
    reason: 'code that runs when the site is built or read',
  },
  {
    pattern: anyFile(String.raw`[^/]+\.(?:css|s[ac]ss|less|styl)`),
    reason: 'a style sheet, which can hide text and fetch addresses',
  },
  { pattern: anyFile(String.raw`[^/]+\.(?:html?|xhtml|xml|xsl|svgz|swf|pdf)`), reason: 'served to readers as it is' },
]

/**
 * Says why a documentation change must never touch a file: it is executed, controls what is executed, or instructs
 * agents, so text from an untrusted page must never end up in it.
 *
 * @param path From the root of the repository.
 * @returns Completes the sentence "the file is …"; null if the owner may allow the file. Pure.
 */
export function protectedPathReason(path: string): string | null {
  return findReason(closed, path)
}

/** Like `protectedPathReason`, for files that an owner may allow. */
export function executedPathReason(path: string): string | null {
  return findReason(executed, path)
}

function findReason(rules: readonly PathRule[], path: string): string | null {
  // File systems compare names without case, in normal form, and some without invisible characters or spaces at the end.
  const folded = path.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}| +(?=\/|$)/gu, '')
  return rules.find(({ pattern }) => pattern.test(folded))?.reason ?? null
}
