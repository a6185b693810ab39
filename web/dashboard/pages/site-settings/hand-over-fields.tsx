import { YesNoField } from '../../../ui/choice-field.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import type { SettingsForm } from './settings-form.ts'
import { say } from '../../../words/say.ts'

export function HandOverFields({ form }: { form: FormState<SettingsForm> }) {
  return (
    <>
      <YesNoField
        legend={say('Messages from readers')}
        label={say('Let readers write to you from the widget')}
        description={say('Their messages appear on the page Messages, and are sent with the conversation.')}
        {...form.field('handOver')}
      />
      {form.values.handOver ? (
        <>
          <TextAreaField
            label={say('Fields of the form')}
            rows={3}
            description={say(
              'One per line: a label, a colon, and text, email or paragraphs; then “, required” if it must be filled in.',
            )}
            {...form.field('handOverFields', say('The fields'), 'settings.handOver.fields')}
          />
          <TextAreaField
            label={say('Send messages to')}
            isOptional
            rows={2}
            placeholder="team@example.com"
            description={say('Up to five e-mail addresses, one per line. Needs a mail server: DOCENT_SMTP_URL.')}
            {...form.field('handOverEmails', say('The addresses'), 'settings.handOver.emails')}
          />
          <YesNoField
            legend={say('Issues')}
            label={say('Open an issue in the site’s repository for each message')}
            {...form.field('handOverIssues')}
          />
        </>
      ) : null}
    </>
  )
}
