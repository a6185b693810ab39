import { Book, CircleCheck, EllipsisVertical, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { hourMs } from '../../../ui/durations.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { Button, type ButtonProps, IconButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Change } from '../../../ui/change.tsx'
import { CheckboxField, type Choice, RadioField, YesNoField } from '../../../ui/choice-field.tsx'
import { CodeSample } from '../../../ui/code-sample.tsx'
import { ColorField } from '../../../ui/color-field.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { Form, FormActions, FormColumns } from '../../../ui/form.tsx'
import { Menu, MenuCheck, MenuChoices, MenuGroup, MenuItem } from '../../../ui/menu.tsx'
import { MenuLink } from '../../../ui/menu-link.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Section } from '../../../ui/section.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Sparkline } from '../../../ui/sparkline.tsx'
import { StackedBar } from '../../../ui/stacked-bar.tsx'
import { Steps } from '../../../ui/steps.tsx'
import { Submenu } from '../../../ui/submenu.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import classes from './components-page.module.css'

const tones: readonly Tone[] = ['neutral', 'accent', 'success', 'warning', 'danger']
const looks = ['primary', 'secondary', 'quiet', 'danger'] as const satisfies readonly ButtonProps['look'][]
type Fruit = 'apple' | 'pear'
const fruit: readonly Choice<Fruit>[] = [
  { value: 'apple', label: 'Apple', description: 'Keeps for weeks.' },
  { value: 'pear', label: 'Pear' },
]
const now = new Date(Date.now() - 4 * hourMs).toISOString()

/** Every component in every state, for those who build pages. */
export function ComponentsPage() {
  return (
    <>
      <PageHeader title="Components" action={<Button look="primary">Action</Button>}>
        Every component in every state, for those who build pages.
      </PageHeader>
      <Words />
      <Actions />
      <Fields />
      <Figures />
      <Lists />
      <Layers />
    </>
  )
}

function Row({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>
}

function Words() {
  return (
    <Section title="Words" description="Badges, notices, facts, times, code">
      <Row>
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <TimeText time={now} />
        <ExternalLink href="https://example.com">Elsewhere</ExternalLink>
        <VisuallyHidden>Only heard</VisuallyHidden>
      </Row>
      {tones.map((tone) => (
        <Notice key={tone} tone={tone}>
          A notice that is {tone}. It says what happened and what to do.
        </Notice>
      ))}
      <Card>
        <Facts
          facts={[
            ['Slug', <code key="slug">docs</code>],
            ['Pages', '1,204'],
          ]}
        />
      </Card>
      <CopyLine text="svc_dsc_1234" what="key" />
      <CodeSample title="Shell" what="command" code="npm start" />
    </Section>
  )
}

function Actions() {
  return (
    <Section title="Actions" action={<Button size="small">For the section</Button>}>
      {looks.map((look) => (
        <Row key={look}>
          <Button look={look}>
            <Plus size={16} aria-hidden /> Add a page
          </Button>
          <Button look={look} size="small">
            Small
          </Button>
          <Button look={look} disabled>
            Off
          </Button>
          <Button look={look} isBusy>
            Merging
          </Button>
        </Row>
      ))}
      <Row>
        <IconButton label="Delete">
          <Trash2 size={16} aria-hidden />
        </IconButton>
        <CopyButton text="text" what="text" hasText />
        <Menu
          trigger={
            <IconButton label="More">
              <EllipsisVertical size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuGroup label="Page">
            <MenuItem onSelect={() => {}}>Rename</MenuItem>
            <MenuCheck isChecked onToggle={() => {}}>
              Shown
            </MenuCheck>
            <MenuItem isDangerous onSelect={() => {}}>
              Delete
            </MenuItem>
          </MenuGroup>
          <MenuChoices label="Fruit" value="apple" choices={fruit} onValueChange={() => {}} />
          <MenuLink href="https://example.com">Elsewhere</MenuLink>
          <Submenu label="More">
            <MenuItem onSelect={() => {}}>Archive</MenuItem>
          </Submenu>
        </Menu>
      </Row>
    </Section>
  )
}

function Fields() {
  const [text, setText] = useState('')
  const [one, setOne] = useState<Fruit>('apple')
  const [some, setSome] = useState<Fruit[]>(['pear'])
  const [isOn, setIsOn] = useState(true)
  const [color, setColor] = useState('')
  const input = { value: text, onValueChange: setText }
  return (
    <Section title="Fields">
      <Segments<Fruit> label="Segments" value={one} options={fruit} onValueChange={setOne} />
      <FilterChips
        label="Filters on one line"
        filters={[
          {
            label: 'Always',
            value: one,
            choices: fruit,
            isFixed: true,
            onValueChange: (value) => setOne(value as Fruit),
          },
          { label: 'Search', value: text, isFixed: true, placeholder: 'Always written', onValueChange: setText },
          { label: 'Chosen', value: 'pear', choices: fruit, onValueChange: () => {} },
          { label: 'Written', value: text, onValueChange: setText },
          { label: 'Not set', value: '', choices: fruit, onValueChange: () => {} },
        ]}
      />
      <Form onSubmit={() => showToast({ title: 'Saved' })}>
        <FormColumns>
          <TextField label="Text" description="What it is for." {...input} />
          <TextField label="With an error" isOptional error="Enter a number from 1 to 9." {...input} />
        </FormColumns>
        <TextAreaField label="Longer text" {...input} />
        <SelectField<Fruit> label="Off" isDisabled value={one} options={fruit} onValueChange={setOne} />
        <RadioField<Fruit> legend="One of a few" choices={fruit} value={one} onValueChange={setOne} />
        <CheckboxField legend="Some of them" choices={fruit} value={some} onValueChange={setSome} />
        <CheckboxField legend="None chosen" choices={fruit} value={[]} onValueChange={setSome} error="Choose one." />
        <YesNoField legend="Yes or no" label="Ripe" value={isOn} onValueChange={setIsOn} />
        <ColorField label="Color" value={color} fallback="#0b6672" onValueChange={setColor} />
        <MoreFields>
          <TextField label="Rarely changed" isOptional {...input} />
        </MoreFields>
        <MoreFields title="Limits" summary="At most 60 requests per minute.">
          <TextField label="Requests per minute" error="Enter a number." {...input} />
        </MoreFields>
        <FormActions>
          <Button type="submit" look="primary">
            Save
          </Button>
        </FormActions>
      </Form>
    </Section>
  )
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((day, at) => ({ day, answered: 10 + at * 4, failed: at }))

function Figures() {
  return (
    <Section title="Figures">
      <div className={classes.lines}>
        <Change current={1_284} previous={1_088} by="ratio" />
        <Change current={0.91} previous={0.88} by="share" better="more" />
        <Change current={1.1} previous={0.9} by="ratio" better="less" />
        <Change current={1} previous={1} by="ratio" />
      </div>
      <div className={classes.lines}>
        <Sparkline values={[3, 4, 4, 6, 5, 8, 9]} />
        <Sparkline values={[9, 8, 8, 6, null, 5, 3]} isWorse />
        <Sparkline values={[]} />
      </div>
      <BarChart
        title="Questions by day"
        rows={days}
        rowTitle="Day"
        labelOf={({ day }) => day}
        series={[
          { name: 'Answered', tone: 'accent', valueOf: ({ answered }) => answered },
          { name: 'Failed', tone: 'danger', valueOf: ({ failed }) => failed },
        ]}
        line={{ name: 'Period before', valueOf: ({ answered, failed }) => answered + failed }}
      />
      <StackedBar
        label="Verdicts"
        max={10}
        parts={[
          { label: 'supported', value: 6 },
          { label: 'partial', value: 3 },
        ]}
      />
      <Meter label="Far from the limit" value={20} max={100} />
      <Meter label="Near the limit" value={85} max={100} />
      <Meter label="At the limit" value={100} max={100} />
      <ProgressBar label="Reading 40 of 100 pages" value={40} max={100} />
      <ProgressBar label="Waiting" value={null} max={100} />
    </Section>
  )
}

function Lists() {
  return (
    <Section title="Lists, and pages without content">
      <DataTable
        caption="Fruit"
        columns={[
          { title: 'Name', render: ({ label }) => label },
          { title: 'Value', align: 'end', render: ({ value }) => <code>{value}</code> },
        ]}
        rows={fruit}
        keyOf={({ value }) => value}
        isDimmed={({ value }) => value === 'pear'}
        pages={{ hasPrevious: false, hasNext: true, showPrevious: () => {}, showNext: () => {} }}
      />
      <Tabs
        label="Views"
        tabs={[
          { id: 'one', title: 'One', content: <p>The first view.</p> },
          { id: 'two', title: 'Two', content: <p>The second view.</p> },
        ]}
      />
      <Steps label="Steps" titles={['Source', 'Check', 'Put it live']} current={1} />
      <EmptyState icon={<Book aria-hidden />} title="No sites yet" action={<Button look="primary">Add a site</Button>}>
        Each site shows here what readers ask.
      </EmptyState>
      <EmptyState icon={<CircleCheck aria-hidden />} title="Nothing needs you">
        What waits for you will be here.
      </EmptyState>
      <Skeleton count={2} />
      <Skeleton shape="cards" count={2} />
    </Section>
  )
}

function Layers() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'typed' | null>(null)
  const close = () => setOpen(null)
  return (
    <Section title="Layers" description="Dialogs and messages">
      <Row>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Question</Button>
        <Button onClick={() => setOpen('typed')}>Question with a name</Button>
        <Button onClick={() => showToast({ title: 'Key revoked', onUndo: () => {} })}>Message with undo</Button>
        <Button onClick={() => showToast({ title: 'The key could not be revoked. Try again.', tone: 'danger' })}>
          Message of a failure
        </Button>
      </Row>
      <Dialog title="A dialog" description="What it is about." isOpen={open === 'dialog'} onClose={close}>
        <DialogActions>
          <Button onClick={close}>Close</Button>
        </DialogActions>
      </Dialog>
      {(['confirm', 'typed'] as const).map((kind) => (
        <ConfirmDialog
          key={kind}
          title="Delete the site?"
          action="Delete the site"
          isOpen={open === kind}
          isBusy={false}
          {...(kind === 'typed' && { typed: { label: 'Its slug', text: 'docs' } })}
          onConfirm={close}
          onClose={close}
        >
          It cannot be brought back.
        </ConfirmDialog>
      ))}
    </Section>
  )
}
