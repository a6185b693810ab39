/**
 * What a file of a repository can say: only `product` defines and loses facts, `support` (builds, scripts, settings)
 * keeps a name alive, tests and samples do neither. `other` files count by their path alone.
 */
export type FileKind = 'product' | 'support' | 'page' | 'other'

const pageEnd = /\.(?:mdx?|markdown)$/i
const codeEnd =
  /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|kts?|scala|rb|php|cs|swift|vue|svelte|c|h|cc|cpp|hpp|exs?|dart|lua|proto|graphql|css|scss|less)$/i
const dataEnd =
  /\.(?:ya?ml|json|jsonc|toml|ini|cfg|sh|bash|env|gradle|xml|txt)$|(?:^|\/)(?:Makefile|Dockerfile|Justfile|Taskfile)[^/]*$/i
const vendored =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist)\/|\.min\.[cm]?js$|(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$|\.lock$|-lock\.ya?ml$/i
const sample =
  /(?:^|\/)(?:tests?|testing|__tests__|specs?|e2e|fixtures?|__fixtures__|__mocks__|mocks?|examples?|samples?|demos?|playgrounds?|bench(?:es|marks?)?|docs_src|snippets|stories)\/|[._-](?:tests?|spec|stories|bench|fixture|conformance)(?:-d)?\.[^/]+$|(?:^|\/)tests?\.[cm]?[jt]sx?$|(?:^|\/)(?:test_[^/]*|conftest)\.[^/.]+$/i
const support =
  /(?:^|\/)(?:\.[^/]+|scripts?|hack)\/|^(?:tools?|build|ci|deploy)\/|[^/][.-](?:config|rc)\.[cm]?[jt]s$|(?:^|\/)(?:setup|noxfile|tasks|gulpfile|gruntfile)\.\w+$/i
/** The code of a documentation site; a folder of that name within source is a part of the product. */
const site = /(?:^|\/)(?:docs?|website|www)\//
/** Manifests and descriptions of interfaces define facts although they are data. */
const described =
  /(?:^|\/)(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|install\.sh)$|(?:^|[/.])schema\.json$|(?:^|\/)(?:lib|src)\/options\.json$|^(?!\.|.*\/\.)(?:.*\/)?(?:values|action)\.ya?ml$/i

const openApi = /(?:(?:openapi|swagger)[^/]*|(?:^|\/)(?:[\w-]+[._-])?api)\.(?:json|ya?ml)$/i

/** Pages that speak of the past or of another version on purpose, and translations. */
const historical =
  /(?:^|\/)(?:change-?logs?|changes|todo|roadmap|releases?|release-notes|history|news|blogs?|migrat[^/]*|upgrad[^/]*|adr|[^/]*[_-](?:upgrade|migration|breaking[_-]changes)|versioned_docs|i18n|locales?)(?:[/.-]|$)|(?:^|\/)v?\d+(?:\.\d+|\.x)+\/|(?:^|\/)(?:ar|az|bg|bn|cs|da|de|el|es|fa|fi|fr|he|hi|hu|it|ja|ko|nl|pl|pt|ro|ru|sk|sr|sv|th|tr|uk|ur|uz|vi|yo|zh)(?:-[A-Za-z]{2,4})?\/|\.(?:de|es|fr|it|ja|ko|pt|ru|zh)(?:[-_][A-Z]{2})?\.mdx?$|(?:^|\/)readme[-_](?:cn|de|es|fr|it|ja|jp|ko|kr|pt|ru|zh)(?:[-_][a-z]{2,4})?\.md$|(?:^|\/)(?:agents|claude|gemini)\.md$/i

/** Notes on tests; documentation about testing is below a folder of documentation. */
const aboutTests =
  /^(?!(?:.*\/)?(?:docs?|documentation|content|pages|site|website|guides?)\/)(?:.*\/)?(?:tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|__mocks__|mocks?)\//i

/** @param path In its repository. */
export function classifyFile(path: string): FileKind {
  if (vendored.test(path)) return 'other'
  if (pageEnd.test(path)) return historical.test(path) || aboutTests.test(path) ? 'other' : 'page'
  // Specifications of an interface are often kept in a folder of that name, which is one of tests elsewhere.
  const isOpenApi = openApi.test(path)
  if (sample.test(isOpenApi ? path.replace(/(^|\/)specs?\//, '$1') : path)) return 'other'
  if (isOpenApi || described.test(path)) return 'product'
  if (codeEnd.test(path)) return support.test(path) || site.test(outsideSource(path)) ? 'support' : 'product'
  return dataEnd.test(path) ? 'support' : 'other'
}

/** The folders above the source folder. */
function outsideSource(path: string): string {
  const at = path.search(/(?:^|\/)(?:src|lib)\//)
  return at === -1 ? path : path.slice(0, at + 1)
}
