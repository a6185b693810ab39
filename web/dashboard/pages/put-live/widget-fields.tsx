import { CheckboxField } from '../../../ui/choice-field.tsx'
import { ColorField } from '../../../ui/color-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import type { WidgetForm } from './widget-form.ts'

/** Those of the widget's own style sheet. */
const accents = { light: '#0b6672', dark: '#63c6cf' } as const

const switches = [
  { value: 'codeAsk', label: 'Ask about code', description: 'A button on the code blocks of your pages.' },
  { value: 'history', label: 'History', description: 'Readers find earlier conversations in their browser.' },
  { value: 'openIn', label: 'Open in', description: 'Readers continue an answer in another assistant.' },
] as const

/** The settings that most owners want first, and the others below them. */
export function WidgetFields({ form }: { form: FormState<WidgetForm> }) {
  return (
    <>
      <TextField label="Text of the button" maxLength={40} placeholder="Ask" {...form.field('label', 'The text')} />
      <ColorField
        label="Accent color"
        description="By default, that of the brand in Settings, or else of your site’s theme."
        fallback={accents.light}
        {...form.field('accentLight', 'The color')}
      />
      <MoreFields>
        <OtherFields form={form} />
      </MoreFields>
    </>
  )
}

function OtherFields({ form }: { form: FormState<WidgetForm> }) {
  return (
    <>
      <ColorField
        label="Accent color on dark pages"
        description="By default, a lighter tone of the one above."
        fallback={form.values.accentLight || accents.dark}
        {...form.field('accentDark', 'The color')}
      />
      <FormColumns>
        <SelectField
          label="Position"
          options={[
            { value: 'right', label: 'Bottom right' },
            { value: 'left', label: 'Bottom left' },
          ]}
          {...form.field('position')}
        />
        <SelectField
          label="Opens as"
          options={[
            { value: 'panel', label: 'Panel beside the page' },
            { value: 'modal', label: 'Dialog over the page' },
          ]}
          {...form.field('mode')}
        />
        <SelectField
          label="Theme"
          options={[
            { value: 'auto', label: 'As the page' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          {...form.field('theme')}
        />
        <SelectField
          label="Links open in"
          options={[
            { value: 'same-tab', label: 'The same tab' },
            { value: 'new-tab', label: 'A new tab' },
          ]}
          {...form.field('links')}
        />
        <TextField label="Hotkey" placeholder="mod+i" description="Or none." {...form.field('hotkey', 'The hotkey')} />
        <TextField
          label="Language"
          description="Such as de. auto: that of the page."
          {...form.field('language', 'The language')}
        />
      </FormColumns>
      <TextField label="Hint in the empty field" isOptional maxLength={80} {...form.field('placeholder', 'The hint')} />
      <TextAreaField
        label="First questions"
        isOptional
        rows={5}
        placeholder={'How do I install it?\n\n/api/*\nHow do I sign a request?'}
        description="One a line, for every page. A line such as /api/* begins those for pages below it; the first path that matches counts."
        {...form.field('starters', 'The list', 'starters')}
      />
      <TextAreaField
        label="Note below answers"
        isOptional
        rows={2}
        maxLength={300}
        placeholder="Answers are made from this documentation and can be wrong."
        {...form.field('disclaimer', 'The note')}
      />
      <SelectField
        label="The note is"
        options={[
          { value: 'quiet', label: 'Quiet' },
          { value: 'prominent', label: 'Prominent' },
          { value: 'none', label: 'Not shown' },
        ]}
        {...form.field('disclaimerTone')}
      />
      <CheckboxField
        legend="Offer"
        choices={switches}
        value={switches.map(({ value }) => value).filter((name) => form.values[name])}
        onValueChange={(chosen) =>
          form.set({
            codeAsk: chosen.includes('codeAsk'),
            history: chosen.includes('history'),
            openIn: chosen.includes('openIn'),
          })
        }
      />
    </>
  )
}
