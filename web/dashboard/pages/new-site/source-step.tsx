import { useMutation } from '@tanstack/react-query'
import { listForges } from '../../../../src/contract/code-hosts.ts'
import type { SourceCheck } from '../../../../src/contract/source-check.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioField } from '../../../ui/choice-field.tsx'
import { Form, FormActions, FormColumns } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { StepHeading } from '../../../ui/steps.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { describeError } from '../../api/api-error.ts'
import { checkSource } from '../../api/sites.ts'
import { CheckSteps } from './check-steps.tsx'
import { type SiteForm, type SourcePlace, tryOutSource } from './site-form.ts'

export interface SourceStepProps {
  form: SiteForm
  /** What was found out about the source as it is typed now. */
  check: SourceCheck | null
  onChange(part: Partial<SiteForm>): void
  onChecked(check: SourceCheck): void
  onNext(): void
}

const places = [
  {
    value: 'address',
    label: 'A repository by its address',
    description: `A repository on ${listForges('or')}, or any git repository over https.`,
  },
  {
    value: 'server',
    label: 'A folder or repository on the server',
    description: 'By its absolute path there.',
  },
  { value: 'crawl', label: 'A published site', description: 'Its pages are crawled, once a day.' },
] as const

const locations: Readonly<Record<SourcePlace, { label: string; placeholder: string }>> = {
  address: { label: 'Address of the repository', placeholder: 'https://github.com/acme/docs' },
  server: { label: 'Path on the server', placeholder: '/srv/docs' },
  crawl: { label: 'Address of the site', placeholder: 'https://docs.example.com' },
}

/** Where the pages come from, tried out before anything is made. */
export function SourceStep({ form, check, onChange, onChecked, onNext }: SourceStepProps) {
  const tryOut = useMutation({
    mutationFn: () => tryOutSource(form, (input) => checkSource(input)),
    onSuccess: onChecked,
  })
  const mayGoOn = check?.canRead === true
  return (
    <Form isBusy={tryOut.isPending} onSubmit={() => (mayGoOn ? onNext() : tryOut.mutate())}>
      <StepHeading>Where the pages are</StepHeading>
      <RadioField legend="Source" choices={places} value={form.place} onValueChange={(place) => onChange({ place })} />
      <TextField
        {...locations[form.place]}
        required
        autoComplete="off"
        spellCheck={false}
        value={form.location}
        onValueChange={(location) => onChange({ location })}
      />
      <SourceDetails form={form} onChange={onChange} />
      {tryOut.isError ? <Notice tone="danger">{describeError(tryOut.error)}</Notice> : null}
      <CheckSteps check={check} isBusy={tryOut.isPending} />
      <FormActions>
        {mayGoOn ? (
          <>
            <Button type="submit" look="primary">
              Go on
            </Button>
            <Button isBusy={tryOut.isPending} onClick={() => tryOut.mutate()}>
              Check again
            </Button>
          </>
        ) : (
          <Button type="submit" look="primary" isBusy={tryOut.isPending}>
            {check === null ? 'Check' : 'Check again'}
          </Button>
        )}
      </FormActions>
    </Form>
  )
}

function SourceDetails({ form, onChange }: Pick<SourceStepProps, 'form' | 'onChange'>) {
  if (form.place === 'crawl') return null
  return (
    <>
      <FormColumns>
        <TextField
          label="Branch"
          isOptional
          description="The main branch without it."
          value={form.ref}
          onValueChange={(ref) => onChange({ ref })}
        />
        <TextField
          label="Subdirectory"
          isOptional
          description="Where the site lies within it, such as docs."
          value={form.subdirectory}
          onValueChange={(subdirectory) => onChange({ subdirectory })}
        />
      </FormColumns>
      {form.place === 'address' ? <CredentialFields form={form} onChange={onChange} /> : null}
      {form.place === 'server' ? (
        <RadioField
          legend="How it is kept"
          value={form.keeping}
          choices={[
            {
              value: 'import',
              label: 'Import it',
              description: 'A copy in the built-in host, which takes pull requests of the agent.',
            },
            { value: 'follow', label: 'Follow it', description: 'Read where it lies. Nothing is written to it.' },
          ]}
          onValueChange={(keeping) => onChange({ keeping })}
        />
      ) : null}
    </>
  )
}

function CredentialFields({ form, onChange }: Pick<SourceStepProps, 'form' | 'onChange'>) {
  return (
    <FormColumns>
      <TextField
        label="Access token"
        isOptional
        type="password"
        autoComplete="off"
        description="Opens a private repository, and lets the agent open pull requests. Stored encrypted."
        value={form.token}
        onValueChange={(token) => onChange({ token })}
      />
      <TextField
        label="User name of the token"
        isOptional
        autoComplete="off"
        description="Only where a plain git host asks for one."
        value={form.tokenUser}
        onValueChange={(tokenUser) => onChange({ tokenUser })}
      />
    </FormColumns>
  )
}
