import { describe, expect, it } from 'vitest'
import { checkWidgetPage } from './check-widget-page.ts'

const tag = '<script async src="https://docent.example.com/widget.js" data-site="docs"></script>'

function check(html: string, { url = 'https://www.example.com/guide', policies = [] as string[] } = {}) {
  return checkWidgetPage(
    { url: new URL(url), html, policies },
    {
      script: 'https://docent.example.com/widget.js',
      isOwn: ({ host }) => host === 'docent.example.com',
      siteNames: ['docs', 'docs.example.com'],
    },
  )
}

const failuresOf = (...args: Parameters<typeof check>) =>
  check(...args).steps.flatMap(({ name, state }) => (state === 'passed' ? [] : [`${name} ${state}`]))

describe('a page with the widget', () => {
  it.each([
    ['in its head', `<!doctype html><head>${tag}`],
    ['with a host name of the site', tag.replace('"docs"', '"docs.example.com"')],
    ['with a version in its address', tag.replace('widget.js', 'widget.js?v=2')],
    ['written as VitePress writes attributes', tag.replace(' async ', ' async="" ').replaceAll('"', "'")],
  ])('passes %s', (_, html) => {
    expect(failuresOf(html)).toEqual([])
  })

  it('passes under a policy that names the service twice', () => {
    const meta = `<meta http-equiv="Content-Security-Policy" content="script-src https://docent.example.com">`

    expect(failuresOf(meta + tag, { policies: ["connect-src 'self' https://docent.example.com"] })).toEqual([])
  })

  it('tells which key its tag has', () => {
    expect(check(tag).key).toBeNull()
    expect(check(tag.replace('data-site', 'data-key="svc_dsc_x" data-site')).key).toBe('svc_dsc_x')
  })
})

describe('a page without a working widget', () => {
  it.each([
    ['no tag', '<p>Hello</p>', ['tag failed']],
    ['the tag in a comment', `<!-- ${tag} -->`, ['tag warning']],
    ['a tag that a framework adds', `<script>push("/widget.js")</script>`, ['tag warning']],
    ['another site', tag.replace('"docs"', '"other"'), ['site failed']],
    ['no site', tag.replace('data-site="docs"', ''), ['site failed']],
    ['another service', tag.replace('docent.example', 'other.example'), ['script failed']],
    ['the script over http', tag.replace('https:', 'http:'), ['script failed']],
    [
      'a meta policy',
      `<meta http-equiv=content-security-policy content="default-src 'self'">${tag}`,
      ['policy failed'],
    ],
    ['very deep nesting', '<b>'.repeat(200_000) + tag, ['tag warning']],
  ])('is told apart: %s', (_, html, failures) => {
    expect(failuresOf(html)).toEqual(failures)
  })

  it('names the directives that refuse the script and its requests', () => {
    const { steps } = check(tag, { policies: ["default-src 'none'; script-src 'self'"] })

    expect(steps.at(-1)?.message).toBe(
      'The content security policy of the page refuses it. Add https://docent.example.com to script-src and default-src.',
    )
  })
})
