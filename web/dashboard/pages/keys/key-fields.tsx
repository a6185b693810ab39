import { answerOptionLabels, answerOptions } from '../../../../src/contract/answer-options.ts'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { CheckboxField, RadioField } from '../../../ui/choice-field.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { SelectField, type SelectOption } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import { choosePurpose, type KeyForm } from './key-form.ts'
import { KeyProtectionFields } from './key-protection-fields.tsx'
import { say } from '../../../words/say.ts'

export interface KeyFieldsProps {
  form: FormState<KeyForm>
  expiryOptions: readonly SelectOption[]
  /** Omitted for an existing key, whose kind and site are fixed. Otherwise at least one. */
  sites?: readonly SiteResource[]
}

const purposes = [
  {
    value: 'website',
    label: say('A website'),
    description: say('Anyone can read the key in the page, so usage per visitor is limited.'),
  },
  {
    value: 'server',
    label: say('A server'),
    description: say(
      'Your server keeps the key secret and asks on behalf of all readers, so one address may use all of it.',
    ),
  },
  {
    value: 'pages',
    label: say('Pages served by Docent'),
    description: say('The pages of the site use the key automatically. Each site has one, created by the first visit.'),
  },
] as const

const uses = [
  ...purposes,
  {
    value: 'admin',
    label: say('Administration'),
    description: say('An admin key runs agent jobs and administers Docent. For servers only.'),
  },
] as const

const scopes = [
  { value: 'read', label: say('Read') },
  { value: 'write', label: say('Write'), description: say('Includes reading.') },
] as const

const answerChoices = answerOptions.map((value) => ({ value, label: answerOptionLabels[value] }))

export function KeyFields({ form, expiryOptions, sites = [] }: KeyFieldsProps) {
  const { kind, purpose } = form.values
  const isAssistant = kind === 'assistant'
  const isNew = sites.length > 0
  return (
    <>
      {isNew || isAssistant ? (
        <RadioField
          legend={say('Used by')}
          choices={isNew ? uses : purposes}
          value={isAssistant ? purpose : 'admin'}
          onValueChange={(use) =>
            form.set(use === 'admin' ? { kind: use } : { kind: 'assistant', ...choosePurpose(use) })
          }
        />
      ) : null}
      <TextField
        label={say('Name')}
        description={say('For example “Docs website” or “Build server”.')}
        required
        maxLength={100}
        {...form.field('name', say('The name'))}
      />
      {isAssistant && sites.length > 1 ? (
        <SelectField
          label={say('Site')}
          options={sites.map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` }))}
          {...form.field('siteId', say('The site'))}
        />
      ) : null}
      {isAssistant && !isNew ? <OriginsField form={form} /> : null}
      <MoreFields>
        {isAssistant && isNew ? <OriginsField form={form} /> : null}
        {isAssistant ? null : <CheckboxField legend={say('Scopes')} choices={scopes} {...form.field('scopes')} />}
        <SelectField label={say('Expires')} options={expiryOptions} {...form.field('expiry')} />
        <TextAreaField
          label={say('Allowed IP addresses')}
          isOptional
          rows={2}
          placeholder="192.0.2.0/24"
          description={say('Addresses or CIDR ranges, one per line. Empty: any.')}
          {...form.field('ipRanges', say('An address'))}
        />
        {isAssistant ? <AnswerFields form={form} /> : null}
      </MoreFields>
    </>
  )
}

interface FieldsOf {
  form: FormState<KeyForm>
}

function OriginsField({ form }: FieldsOf) {
  return (
    <TextAreaField
      label={say('Allowed origins')}
      isOptional
      rows={2}
      placeholder="https://docs.example.com"
      description={say('Websites that may use the key, one per line. Empty: any.')}
      {...form.field('origins', say('An origin'))}
    />
  )
}

function AnswerFields({ form }: FieldsOf) {
  return (
    <>
      <TextField
        label={say('Reader groups')}
        isOptional
        description={say('Groups whose pages the key can access, separated by commas.')}
        {...form.field('groups', say('A group'))}
      />
      <CheckboxField legend={say('Answers')} choices={answerChoices} {...form.field('answerOptions')} />
      <KeyProtectionFields form={form} />
    </>
  )
}
