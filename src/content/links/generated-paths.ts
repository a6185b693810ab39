/** Paths that sites serve without a source file. */
const generated =
  /^\/(?:mcp|authed\/mcp|(?:.*\/)?(?:llms(?:-full)?\.txt|sitemap(?:-[\w-]+)?\.xml|robots\.txt|openapi\.(?:json|ya?ml)|(?:rss|feed|atom|index)\.(?:xml|json)|skill\.md)|_[^/]*\/.*)$/

/** Whether sites make the file at a path themselves: `/llms.txt`, `/feed.xml`. */
export function isGeneratedPath(path: string): boolean {
  return generated.test(path.startsWith('/') ? path : `/${path}`)
}
