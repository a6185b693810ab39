import type { WidgetSettings, WidgetSettingsUpdate } from '../../../../src/contract/widget-settings.ts'

type Text = 'label' | 'placeholder' | 'accentLight' | 'accentDark' | 'hotkey' | 'disclaimer'

/** Settings as fields hold them: an empty text stands for the default. */
export type WidgetForm = Omit<WidgetSettings, Text | 'starters'> & Record<Text | 'starters', string>

export function toWidgetForm(settings: WidgetSettings): WidgetForm {
  const { label, placeholder, accentLight, accentDark, hotkey, disclaimer } = settings
  return {
    ...settings,
    label: label ?? '',
    placeholder: placeholder ?? '',
    accentLight: accentLight ?? '',
    accentDark: accentDark ?? '',
    hotkey: hotkey ?? '',
    disclaimer: disclaimer ?? '',
    starters: writeStarters(settings.starters),
  }
}

export function readWidgetForm(form: WidgetForm): WidgetSettings {
  const { label, placeholder, accentLight, accentDark, hotkey, disclaimer } = form
  return {
    ...form,
    label: label.trim() || null,
    placeholder: placeholder.trim() || null,
    accentLight: accentLight || null,
    accentDark: accentDark || null,
    hotkey: hotkey.trim() || null,
    disclaimer: disclaimer.trim() || null,
    language: form.language.trim() || 'auto',
    starters: readStarters(form.starters),
  }
}

/** Only what differs, so that changes by others survive. */
export function readWidgetChange(form: WidgetForm, base: WidgetForm): WidgetSettingsUpdate {
  const [after, before] = [readWidgetForm(form), readWidgetForm(base)]
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof WidgetSettings]),
  )
  return Object.fromEntries(changed)
}

function writeStarters(starters: WidgetSettings['starters']): string {
  return starters.map(({ path, questions }) => [path, ...questions].join('\n')).join('\n\n')
}

/** Lines that begin with `/` are paths; the others are questions for the path above, or for every page. */
export function readStarters(text: string): WidgetSettings['starters'] {
  const starters: WidgetSettings['starters'] = []
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    if (line.startsWith('/')) starters.push({ path: line, questions: [] })
    else if (starters.length === 0) starters.push({ path: '/*', questions: [line] })
    else starters.at(-1)?.questions.push(line)
  }
  return starters
}
