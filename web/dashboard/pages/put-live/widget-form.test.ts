import { expect, it } from 'vitest'
import { widgetDefaults, widgetSettingsUpdateSchema } from '../../../../src/contract/widget-settings.ts'
import { readStarters, readWidgetChange, readWidgetForm, toWidgetForm } from './widget-form.ts'

const settings = {
  ...widgetDefaults,
  accentDark: '#aabbcc',
  starters: [
    { path: '/api/*', questions: ['How do I sign a request?'] },
    { path: '/*', questions: ['How do I install it?', 'What is new?'] },
  ],
}

it('reads back what it was filled with', () => {
  expect(readWidgetForm(toWidgetForm(settings))).toEqual(settings)
})

it('sends only what was changed, in the form that the service takes', () => {
  const base = toWidgetForm(settings)

  const change = readWidgetChange({ ...base, label: ' Ask us ', accentDark: '', history: false, language: '' }, base)

  expect(change).toEqual({ label: 'Ask us', accentDark: null, history: false })
  expect(widgetSettingsUpdateSchema.parse(change)).toEqual(change)
})

it('offers questions without a path on every page', () => {
  expect(readStarters('Why?\n\nHow?\n/api/*\n When? \n')).toEqual([
    { path: '/*', questions: ['Why?', 'How?'] },
    { path: '/api/*', questions: ['When?'] },
  ])
})
