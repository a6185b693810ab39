import { RadioField } from '../../../ui/choice-field.tsx'
import type { JobTemplate } from './job-templates.ts'
import { say } from '../../../words/say.ts'

export interface TemplateChooserProps {
  templates: readonly JobTemplate[]
  /** Current text of the field. */
  prompt: string
  onChoose(prompt: string): void
}

/** Starts the prompt from a template. Replaces only another template, never the user's own text. */
export function TemplateChooser({ templates, prompt, onChoose }: TemplateChooserProps) {
  const current = templates.find((template) => template.prompt === prompt)
  const choices = templates.map(({ id, title }) => ({ value: id, label: title }))
  return (
    <RadioField
      legend={say('Template')}
      choices={choices}
      value={current?.id ?? 'free'}
      onValueChange={(id) => {
        const template = templates.find((template) => template.id === id)
        if (template === undefined || template.prompt === '') return onChoose(current === undefined ? prompt : '')
        onChoose(current === undefined ? `${prompt.trimEnd()}\n\n${template.prompt}` : template.prompt)
      }}
    />
  )
}
