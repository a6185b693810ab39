import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '../../testing/open-page.tsx'

const ui = resolve(import.meta.dirname, '../../../ui')
/** Parts of another component, and the region that every page has. */
const shownByOthers = new Set(['BarChartPlot', 'Field', 'StepHeading', 'ToastRegion'])

it('shows every component of web/ui', () => {
  const page = readFileSync(join(import.meta.dirname, 'components-page.tsx'), 'utf8')
  const names = readdirSync(ui)
    .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
    .flatMap((file) =>
      Array.from(
        readFileSync(join(ui, file), 'utf8').matchAll(/^export function ([A-Z]\w*)/gm),
        ([, name = '']) => name,
      ),
    )

  expect(names.filter((name) => !shownByOthers.has(name) && !page.includes(`<${name}`))).toEqual([])
})

it('is drawn, with dialogs that open', async () => {
  const { user } = openPage('/default/components')

  await user.click(await screen.findByRole('button', { name: 'Question with a name' }))

  expect(await screen.findByRole('alertdialog')).toBeDefined()
})
