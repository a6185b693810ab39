import { answerOptionLabels, answerOptions } from '../../../../src/contract/answer-options.ts'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { CheckboxField, RadioField } from '../../../ui/choice-field.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { SelectField, type SelectOption } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import type { FormState } from '../../forms/use-form.ts'
import { choosePurpose, type KeyForm } from './key-form.ts'
import { KeyProtectionFields } from './key-protection-fields.tsx'

export interface KeyFieldsProps {
  form: FormState<KeyForm>
  expiryOptions: readonly SelectOption[]
  /** Omitted for an existing key, whose kind and site are fixed. Otherwise at least one. */
  sites?: readonly SiteResource[]
}

const purposes = [
  {
    value: 'website',
    label: 'A website',
    description: 'Anyone can read the key in the page, so usage per visitor is limited.',
  },
  {
    value: 'server',
    label: 'A server',
    description:
      'Your server keeps the key secret and asks on behalf of all readers, so one address may use all of it.',
  },
  {
    value: 'pages',
    label: 'Pages served by Docent',
    description: 'The pages of the site use the key by themselves. Each site has one, which the first visit creates.',
  },
] as const

const uses = [
  ...purposes,
  {
    value: 'admin',
    label: 'Administration',
    description: 'An admin key runs agent jobs and administers Docent. For servers only.',
  },
] as const

const scopes = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write', description: 'Includes reading.' },
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
          legend="Used by"
          choices={isNew ? uses : purposes}
          value={isAssistant ? purpose : 'admin'}
          onValueChange={(use) =>
            form.set(use === 'admin' ? { kind: use } : { kind: 'assistant', ...choosePurpose(use) })
          }
        />
      ) : null}
      <TextField
        label="Name"
        description="For example “Docs website” or “Build server”."
        required
        maxLength={100}
        {...form.field('name', 'The name')}
      />
      {isAssistant && sites.length > 1 ? (
        <SelectField
          label="Site"
          options={sites.map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` }))}
          {...form.field('siteId', 'The site')}
        />
      ) : null}
      {isAssistant && !isNew ? <OriginsField form={form} /> : null}
      <MoreFields>
        {isAssistant && isNew ? <OriginsField form={form} /> : null}
        {isAssistant ? null : <CheckboxField legend="Scopes" choices={scopes} {...form.field('scopes')} />}
        <SelectField label="Expires" options={expiryOptions} {...form.field('expiry')} />
        <TextAreaField
          label="Allowed IP addresses"
          isOptional
          rows={2}
          placeholder="192.0.2.0/24"
          description="Addresses or CIDR ranges, one per line. Empty: any."
          {...form.field('ipRanges', 'An address')}
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
      label="Allowed origins"
      isOptional
      rows={2}
      placeholder="https://docs.example.com"
      description="Websites that may use the key, one per line. Empty: any."
      {...form.field('origins', 'An origin')}
    />
  )
}

function AnswerFields({ form }: FieldsOf) {
  return (
    <>
      <TextField
        label="Reader groups"
        isOptional
        description="Groups whose pages the key can access, separated by commas."
        {...form.field('groups', 'A group')}
      />
      <CheckboxField legend="Answers" choices={answerChoices} {...form.field('answerOptions')} />
      <KeyProtectionFields form={form} />
    </>
  )
}
