import { RadioField } from '../../../ui/choice-field.tsx'
import type { JobTemplate } from './job-templates.ts'

export interface TemplateChooserProps {
  templates: readonly JobTemplate[]
  /** What stands in the field now. */
  prompt: string
  onChoose(prompt: string): void
}

/** Begins the text of a job. What somebody has written stays: a template takes the place of a template only. */
export function TemplateChooser({ templates, prompt, onChoose }: TemplateChooserProps) {
  const current = templates.find((template) => template.prompt === prompt)
  const choices = templates.map(({ id, title }) => ({ value: id, label: title }))
  return (
    <RadioField
      legend="Begin with"
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
