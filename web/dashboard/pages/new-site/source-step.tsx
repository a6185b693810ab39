import { listForges } from '../../../../src/contract/code-hosts.ts'
import type { SourceCheck } from '../../../../src/contract/source-check.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { StepHeading } from '../../../ui/steps.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useChange } from '../../forms/use-change.ts'
import type { FormState } from '../../forms/use-form.ts'
import { CheckSteps } from './check-steps.tsx'
import { type SiteForm, type SourcePlace, tryOutSource } from './site-form.ts'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { call } from '../../api/call.ts'

export interface SourceStepProps {
  form: FormState<SiteForm>
  /** What was found out about the source as it is typed now. */
  check: SourceCheck | null
  onChecked(check: SourceCheck): void
  onNext(): void
}

/** A first look at a large repository takes up to two minutes. */
const checkTimeLimitMs = 150_000

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
export function SourceStep({ form, check, onChecked, onNext }: SourceStepProps) {
  const tryOut = useChange({
    send: () =>
      tryOutSource(form.values, (body) => call(siteOperations.checkSource, { body, timeLimitMs: checkTimeLimitMs })),
    onDone: onChecked,
  })
  const mayGoOn = check?.canRead === true
  const checkAgain = () => tryOut.mutate()
  const { place } = form.values
  return (
    <FormView
      form={{ error: tryOut.error, isBusy: tryOut.isPending, submit: mayGoOn ? onNext : checkAgain }}
      action={mayGoOn ? 'Go on' : check === null ? 'Check' : 'Check again'}
      actions={mayGoOn ? <Button onClick={checkAgain}>Check again</Button> : null}
    >
      <StepHeading>Where the pages are</StepHeading>
      <RadioField legend="Source" choices={places} {...form.field('place')} />
      <TextField {...locations[place]} required autoComplete="off" spellCheck={false} {...form.field('location')} />
      {place === 'crawl' ? null : <SourceDetails form={form} />}
      <CheckSteps check={check} isBusy={tryOut.isPending} />
    </FormView>
  )
}

const keepings = [
  {
    value: 'import',
    label: 'Import it',
    description: 'A copy in the built-in host, which takes pull requests of the agent.',
  },
  { value: 'follow', label: 'Follow it', description: 'Read where it lies. Nothing is written to it.' },
] as const

function SourceDetails({ form }: Pick<SourceStepProps, 'form'>) {
  const { place } = form.values
  return (
    <>
      <FormColumns>
        <TextField label="Branch" isOptional description="The main branch without it." {...form.field('ref')} />
        <TextField
          label="Subdirectory"
          isOptional
          description="Where the site lies within it, such as docs."
          {...form.field('subdirectory')}
        />
      </FormColumns>
      {place === 'address' ? <CredentialFields form={form} /> : null}
      {place === 'server' ? <RadioField legend="How it is kept" choices={keepings} {...form.field('keeping')} /> : null}
    </>
  )
}

function CredentialFields({ form }: Pick<SourceStepProps, 'form'>) {
  return (
    <FormColumns>
      <TextField
        label="Access token"
        isOptional
        type="password"
        autoComplete="off"
        description="Opens a private repository, and lets the agent open pull requests. Stored encrypted."
        {...form.field('token')}
      />
      <TextField
        label="User name of the token"
        isOptional
        autoComplete="off"
        description="Only where a plain git host asks for one."
        {...form.field('tokenUser')}
      />
    </FormColumns>
  )
}
