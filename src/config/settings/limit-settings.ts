import { limit, setting, whole } from './setting-shapes.ts'

export const limitSettings = {
  limitKeyPerMonth: setting(limit().default(10_000), {
    env: 'DOCENT_LIMIT_KEY_PER_MONTH',
    description: 'Assistant messages per assistant key and calendar month (UTC).',
  }),
  limitOrgPerHour: setting(limit().default(10_000), {
    env: 'DOCENT_LIMIT_ORG_PER_HOUR',
    description: 'Assistant messages per organization and hour.',
  }),
  limitIpPerDay: setting(limit().default(10_000), {
    env: 'DOCENT_LIMIT_IP_PER_DAY',
    description: 'Assistant messages per client network (an IPv4 address or an IPv6 /64) and day (UTC).',
  }),
  limitPrefixPerMinute: setting(whole(0, 1_000_000_000).default(0), {
    env: 'DOCENT_LIMIT_PREFIX_PER_MINUTE',
    description: 'Assistant messages per minute from a block of networks (IPv4 /24, IPv6 /48). 0: unlimited.',
  }),
  limitPrefixPerDay: setting(whole(0, 1_000_000_000).default(0), {
    env: 'DOCENT_LIMIT_PREFIX_PER_DAY',
    description: 'Assistant messages per day (UTC) from a block of networks. 0: unlimited.',
  }),
  limitSearchPerHour: setting(limit().default(10_000), {
    env: 'DOCENT_LIMIT_SEARCH_PER_HOUR',
    description: 'Search and page requests per organization and hour.',
  }),
  limitJobsPerHour: setting(limit().default(100), {
    env: 'DOCENT_LIMIT_JOBS_PER_HOUR',
    description: 'Agent jobs and follow-ups per project and hour.',
  }),
  questionChars: setting(whole(1_000, 100_000).default(16_000), {
    env: 'DOCENT_QUESTION_CHARS',
    description:
      'Maximum characters that Docent reads of a question. For a longer question, it reads the start (three quarters) and the end (one quarter), and the answer says so. Questions over 100,000 characters are refused.',
  }),
  answersAtOnce: setting(whole(1, 100_000).default(4_000), {
    env: 'DOCENT_ANSWERS_AT_ONCE',
    description:
      'Concurrent answers per process. A single site gets at most three quarters of them. Requests that wait longer than 2 seconds get a 503.',
  }),
}
