/** Names that people give to the same page, one group a line. */
const groups = `
api reference sdk
auth authentication authorization login sign-in signin
ci cicd pipelines
config configuration configure settings options
db database databases
dev development
deploy deployment deploying hosting
docker container containers
env environment environment-variables variables
error errors troubleshooting debugging faq
example examples samples recipes cookbook templates
faq questions help
getting-started quickstart quick-start get-started introduction intro overview installation install setup start welcome tutorial
i18n localization translations internationalization languages
install installation setup installing
k8s kubernetes
changelog release-notes releases changes history news whats-new
limits quotas throttling rate-limiting rate-limits quota
migrate migration upgrade upgrading update
oauth sso oidc saml
permissions roles rbac access access-control
plugin plugins extensions addons integrations
pricing billing plans usage
repo repository
secrets tokens keys api-keys credentials
test testing tests
webhook webhooks callbacks events
cli command-line commands
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

const groupsByWord = new Map<string, string[][]>()
for (const group of groups) {
  for (const word of group) groupsByWord.set(word, [...(groupsByWord.get(word) ?? []), group])
}

/** Names that may replace the words of an address, or all of them together. */
export function listRelatedWords(words: readonly string[]): string[] {
  const asked = [...words, words.join('-')]
  return [...new Set(asked.flatMap((word) => groupsByWord.get(word)?.flat() ?? []))].filter(
    (word) => !asked.includes(word),
  )
}
