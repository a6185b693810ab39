import { describe, expect, it } from 'vitest'
import { findPageLinks } from './page-links.ts'

const page = `# Page

See [the **guide**](/guides/install#step "Title") and ![a picture](../images/a.png).
<Card href="/guides/install" /> and <a href='./other'>x</a>.

[ref]: /guides/install

\`\`\`md
[sample](/guides/install)
\`\`\`
`

describe('the links of a page', () => {
  it('are found in Markdown, attributes and definitions, and not in blocks of code', () => {
    expect(findPageLinks(page).map(({ destination, suffix }) => destination + suffix)).toEqual([
      '/guides/install#step',
      '../images/a.png',
      '/guides/install',
      './other',
      '/guides/install',
    ])
  })
})
