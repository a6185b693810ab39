import { expect, it } from 'vitest'
import { readTestSite } from '../../../test/support/read-test-site.ts'

const readPage = async (body: string, components: Readonly<Record<string, string>>) => {
  const { pages, findings } = await readTestSite({
    'astro.config.mjs': "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({})] }",
    'src/content/docs/index.mdx': `---\ntitle: Home\n---\n${body}`,
    ...Object.fromEntries(Object.entries(components).map(([name, text]) => [`src/components/${name}`, text])),
  })
  expect(findings).toEqual([])
  return pages[0]?.markdown
}
const named = (name: string, rest = '') => `import ${name} from '../../components/${name}.astro'\n\n<${name} ${rest}/>`

it('shows the markup of a local Astro component, with its literals, and neither scripts nor styles', async () => {
  const component =
    "---\nimport { least } from './limits'\nconst items: string[] = ['a database', 'a domain']\nconst now = Date.now()\n---\n" +
    '<style>p { color: red }</style>\n<!-- Not shown. -->\n<p>You need Node {least} or newer.</p>\n' +
    '<ul>{items.map((item) => <li>{item}</li>)}</ul>\n<script>track()</script>\n'

  const markdown = await readPage(named('Needs'), {
    'Needs.astro': component,
    'limits.ts': 'export const least = 20 as const',
  })

  expect(markdown).toBe('You need Node 20 or newer.\n\n- a database\n- a domain')
})

it('fills in properties and the slot, also where all is on one line', async () => {
  const component =
    '---\nconst { plan, href } = Astro.props\n---\n' +
    '<section><h3>{plan} plan</h3><p>Costs {Astro.props.price}. <br><a {href}>Order</a></p><slot /><slot name="more" /></section>'
  const body = `import Plan from '../../components/Plan.astro'\n\n<Plan plan="Team" price="$29" href="https://x.example">\n\nWith **support**.\n\n</Plan>`

  const markdown = await readPage(body, { 'Plan.astro': component })

  expect(markdown).toBe('### Team plan\nCosts $29.\n[Order](https://x.example)\n\nWith **support**.')
})

it('shows what a component is given if its markup cannot be read', async () => {
  const body = `import Odd from '../../components/Odd.astro'\n\n<Odd title="Told anyway">And inside.</Odd>`

  expect(await readPage(body, { 'Odd.astro': '<p>{a b c</p>' })).toBe('**Told anyway**\n\nAnd inside.')
})

it('takes time that grows with the length of a component', async () => {
  const started = process.cpuUsage()

  await readPage(named('Odd'), { 'Odd.astro': '<slot>'.repeat(100_000) })

  expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(3)
})
