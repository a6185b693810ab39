import { expect, it } from 'vitest'
import { prepareTemplates } from './prepare-templates.ts'

it.each([
  ['{{< note >}}', '**Note:** '],
  ['{{% alert title="Heads up" color="warning" %}}', '**Warning: Heads up** '],
  ['{{< callout type="info" >}}Read it.{{< /callout >}}', '**Info:** Read it.'],
  ['See [it]({{< relref "/docs/keys.md#new" >}}).', 'See [it](/docs/keys.md#new).'],
  ['{{< figure src="/a.png" alt="A plan" >}}', '![A plan](/a.png)'],
  ['{{< youtube abc >}}', ''],
  ['{{< tab name="Linux" >}}', '**Linux** '],
  ['{{< highlight go "linenos=table" >}}', '```go'],
  ['{{< /highlight >}}', '```'],
  ['`{{< note >}}` is a shortcode', '`{{< note >}}` is a shortcode'],
])('writes the shortcode of Hugo “%s” as “%s”', (line, written) => {
  expect(prepareTemplates(line)).toBe(written)
})

it.each([
  ["[Install]({{ '/docs/install/' | relative_url }})", '[Install](/docs/install/)'],
  ['[Site](https://x.org){:target="_blank"}', '[Site](https://x.org)'],
  ['{% raw %}{{ page.title }}{% endraw %}', '{{ page.title }}'],
  ['[Old]({% link _posts/2020-01-02-old.md %})', '[Old](/_posts/2020-01-02-old)'],
  ['{%- include badge.html version="3" -%}', ''],
  ['{% highlight ruby %}', '```ruby'],
  ['{: .note .info}', ''],
])('writes the template of Jekyll “%s” as “%s”', (line, written) => {
  expect(prepareTemplates(line)).toBe(written)
})

it('takes the id of a heading from the line below it', () => {
  expect(prepareTemplates('## No sudo\n{: #no-sudo}\n\nText.')).toBe('## No sudo {#no-sudo}\n\n\nText.')
})

it('leaves code alone, but for what keeps it from being read as a template', () => {
  const code = ['```md', '{{</* note */>}}', '{% raw %}{% if a %}{% endraw %}', ':tada:', '{: .a}', '```', ':tada:']

  const lines = prepareTemplates(code.join('\n')).split('\n')

  expect(lines).toEqual(['```md', '{{< note >}}', '{% if a %}', ':tada:', '{: .a}', '```', '🎉'])
})

it('leaves a template that is shown in a fence alone, also one that would begin a block of code', () => {
  const code = [
    '```liquid',
    '{% highlight ruby %}',
    'puts 1',
    '{% endhighlight %}',
    '```',
    '{% if a %}Text.{% endif %}',
  ]

  expect(prepareTemplates(code.join('\n')).split('\n')).toEqual([...code.slice(0, 5), 'Text.'])
})

it('leaves what stands between the fences of a shortcode for code', () => {
  const lines = ['{{< code file=a.html >}}', '{{ .Title }}', '{{< /code >}}', '{{< tip >}}', 'Text.']

  expect(prepareTemplates(lines.join('\n')).split('\n')).toEqual(['```', '{{ .Title }}', '```', '**Tip:** ', 'Text.'])
})
