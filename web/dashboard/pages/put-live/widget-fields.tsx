import { CheckboxField } from '../../../ui/choice-field.tsx'
import { ColorField } from '../../../ui/color-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import type { WidgetForm } from './widget-form.ts'
import { say } from '../../../words/say.ts'

/** Those of the widget's own style sheet. */
const accents = { light: '#0b6672', dark: '#63c6cf' } as const

const switches = [
  { value: 'codeAsk', label: say('Ask about code'), description: say('A button on the code blocks of your pages.') },
  { value: 'history', label: say('History'), description: say('Readers find earlier conversations in their browser.') },
  { value: 'openIn', label: say('Open in'), description: say('Readers continue an answer in another assistant.') },
] as const

/** The settings that most owners want first, and the others below them. */
export function WidgetFields({ form }: { form: FormState<WidgetForm> }) {
  return (
    <>
      <TextField
        label={say('Text of the button')}
        maxLength={40}
        placeholder={say('Ask')}
        {...form.field('label', say('The text'))}
      />
      <ColorField
        label={say('Accent color')}
        description={say('By default, the brand color from Settings, or your site theme’s color.')}
        fallback={accents.light}
        {...form.field('accentLight', say('The color'))}
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
        label={say('Accent color on dark pages')}
        description={say('By default, a lighter tone of the one above.')}
        fallback={form.values.accentLight || accents.dark}
        {...form.field('accentDark', say('The color'))}
      />
      <FormColumns>
        <SelectField
          label={say('Position')}
          options={[
            { value: 'right', label: say('Bottom right') },
            { value: 'left', label: say('Bottom left') },
          ]}
          {...form.field('position')}
        />
        <SelectField
          label={say('Opens as')}
          options={[
            { value: 'panel', label: say('Panel beside the page') },
            { value: 'modal', label: say('Dialog over the page') },
          ]}
          {...form.field('mode')}
        />
        <SelectField
          label={say('Theme')}
          options={[
            { value: 'auto', label: say('As the page') },
            { value: 'light', label: say('Light') },
            { value: 'dark', label: say('Dark') },
          ]}
          {...form.field('theme')}
        />
        <SelectField
          label={say('Links open in')}
          options={[
            { value: 'same-tab', label: say('The same tab') },
            { value: 'new-tab', label: say('A new tab') },
          ]}
          {...form.field('links')}
        />
        <TextField
          label={say('Hotkey')}
          placeholder="mod+i"
          description={say('Or none.')}
          {...form.field('hotkey', say('The hotkey'))}
        />
        <TextField
          label={say('Language')}
          description={say('Such as de. auto: that of the page.')}
          {...form.field('language', say('The language'))}
        />
      </FormColumns>
      <TextField
        label={say('Hint in the empty field')}
        isOptional
        maxLength={80}
        {...form.field('placeholder', say('The hint'))}
      />
      <TextAreaField
        label={say('First questions')}
        isOptional
        rows={5}
        placeholder={say('How do I install it?\n\n/api/*\nHow do I sign a request?')}
        description={say(
          'One per line, for every page. A line such as /api/* starts the questions for pages below that path; the first matching path applies.',
        )}
        {...form.field('starters', say('The list'), 'starters')}
      />
      <TextAreaField
        label={say('Note below answers')}
        isOptional
        rows={2}
        maxLength={300}
        placeholder={say('Answers come from this documentation and can be wrong.')}
        {...form.field('disclaimer', say('The note'))}
      />
      <SelectField
        label={say('The note is')}
        options={[
          { value: 'quiet', label: say('Quiet') },
          { value: 'prominent', label: say('Prominent') },
          { value: 'none', label: say('Not shown') },
        ]}
        {...form.field('disclaimerTone')}
      />
      <CheckboxField
        legend={say('Offer')}
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
