import { ownInstructionsCharsMax } from '../../../../src/contract/site-settings.ts'
import { Card } from '../../../ui/card.tsx'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import { HandOverFields } from './hand-over-fields.tsx'
import type { SettingsForm } from './settings-form.ts'
import { say } from '../../../words/say.ts'

export interface AssistantFieldsProps {
  form: FormState<SettingsForm>
  isOwner: boolean
  mayEdit: boolean
}

export function AssistantFields({ form, isOwner, mayEdit }: AssistantFieldsProps) {
  return (
    <Section title={say('Assistant')}>
      <Card>
        <TextAreaField
          label={say('Instructions')}
          isOptional
          rows={6}
          maxLength={ownInstructionsCharsMax}
          readOnly={!mayEdit}
          description={say(
            'Additional instructions for the model: tone, terms, what to point to. The offline model ignores them.',
          )}
          {...form.field('instructions', say('The instructions'), 'settings.instructions')}
        />
        {isOwner ? <OwnersFields form={form} /> : null}
      </Card>
    </Section>
  )
}

function OwnersFields({ form }: Pick<AssistantFieldsProps, 'form'>) {
  return (
    <>
      <FormColumns>
        <TextField
          label={say('Daily cost limit in US dollars')}
          isOptional
          pattern="unlimited|[0-9]+([.][0-9]+)?"
          title={say('An amount such as 5, or the word unlimited')}
          description={say(
            'Maximum cost of answers per UTC day; beyond it, the offline model answers. Empty: the installation’s limit. “unlimited”: no limit.',
          )}
          {...form.field('dailyCostUsdMax', say('The limit'), 'settings.dailyCostUsdMax')}
        />
        <TextField
          label={say('Support contact')}
          isOptional
          placeholder="support@example.com"
          description={say('An email or web address to offer when a question stays unanswered.')}
          {...form.field('supportContact', say('The support contact'), 'settings.supportContact')}
        />
      </FormColumns>
      <HandOverFields form={form} />
      <YesNoField
        legend={say('Weekly digest')}
        label={say('Send a digest every Monday')}
        description={say(
          'Questions, gaps, improvements and outdated content: to subscribed webhooks, to the bot’s channel, and by e-mail.',
        )}
        {...form.field('digest')}
      />
      {form.values.digest ? (
        <TextAreaField
          label={say('Send the digest to')}
          isOptional
          rows={2}
          placeholder="team@example.com"
          description={say('Up to five e-mail addresses, one per line. Needs a mail server: DOCENT_SMTP_URL.')}
          {...form.field('digestEmails', say('The addresses'), 'settings.digest.emails')}
        />
      ) : null}
      <MoreFields>
        <FormColumns>
          <TextField
            label={say('Daily token limit')}
            isOptional
            pattern="unlimited|[0-9]+"
            title={say('A number such as 5000000, or the word unlimited')}
            description={say('The same for models without a known price.')}
            {...form.field('dailyTokensMax', say('The limit'), 'settings.dailyTokensMax')}
          />
          <TextField
            label={say('Readers needed to start a job for a gap')}
            isOptional
            inputMode="numeric"
            pattern="[0-9]+"
            description={say(
              'A gap that this many readers have asked about gets a draft pull request automatically. Empty: only people start such jobs.',
            )}
            {...form.field('gapJobReaders', say('The number of readers'), 'settings.gapJobReaders')}
          />
          <TextField
            label={say('Maximum of these jobs per day')}
            inputMode="numeric"
            pattern="[0-9]+"
            {...form.field('gapJobsPerDay', say('The number of jobs'), 'settings.gapJobsPerDay')}
          />
          <TextField
            label={say('Pull requests for renames per day')}
            inputMode="numeric"
            pattern="[0-9]+"
            description={say(
              'For certain renames in the product, Docent opens draft pull requests without a model. 0: only people start them.',
            )}
            {...form.field('driftJobsPerDay', say('The number of pull requests'), 'settings.driftJobsPerDay')}
          />
        </FormColumns>
        <TextAreaField
          label={say('Files that the agent may change besides pages')}
          isOptional
          rows={3}
          placeholder="openapi.yaml"
          description={say(
            'Patterns in .gitignore syntax, one per line. Warning: matching files may run when the site is built or read, and matching pages may gain code. Automation, lock files, instructions to agents and secrets stay refused.',
          )}
          {...form.field('agentPaths', say('The patterns'), 'settings.agentPaths')}
        />
        <TextAreaField
          label={say('Values that only look like secrets')}
          isOptional
          rows={2}
          description={say(
            'SHA-256 hashes, one per line. When Docent refuses a value, the message gives its hash. Add only hashes of values that may be published.',
          )}
          {...form.field('allowedSecrets', say('The hashes'), 'settings.allowedSecrets')}
        />
        <YesNoField
          legend={say('Suggestions')}
          label={say('Add links to related pages to answers')}
          description={say(
            'Sent as a part of the answer for clients to render. A key option also adds them to the text.',
          )}
          {...form.field('suggestions')}
        />
        <YesNoField
          legend={say('Pull requests')}
          label={say('Block pull requests that make an answer worse')}
          description={say('On the built-in host they cannot be merged; on others the status fails.')}
          {...form.field('requiresNoneWorse')}
        />
        <YesNoField
          legend={say('Tests')}
          label={say('Ask the site’s model')}
          description={say(
            'For the tests in docent.tests.yaml after each sync, and for pull requests that are not from forks, within the daily limits.',
          )}
          {...form.field('suiteAsksModel')}
        />
        <YesNoField
          legend={say('Agents')}
          label={say('Answer questions in URLs')}
          description={say(
            'For agents that can only fetch page.md?ask=…, without a key. Anybody can trigger such answers.',
          )}
          {...form.field('answersByAddress')}
        />
      </MoreFields>
    </>
  )
}
