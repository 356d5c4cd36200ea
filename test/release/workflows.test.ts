import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { tagProblem } from '../../scripts/release/tags.mjs'
import { ROOT, readManifest, readText } from './manifests.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly environment?: string
  readonly 'timeout-minutes'?: number
  readonly strategy?: { readonly matrix: { readonly os: string[]; readonly node: number[] } }
  readonly steps: readonly Step[]
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const FOLDER = '.github/workflows'
const files = readdirSync(path.join(ROOT, FOLDER))
const read = (file: string): Workflow => parse(readText(`${FOLDER}/${file}`)) as Workflow
const { scripts = {}, engines } = readManifest('.')

/** Names of scripts of the workspace, and files, that the lines of a step call. */
const calledBy = (run: string): string[] => [
  ...[...run.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => `script ${name}`),
  ...[...run.matchAll(/\bnpm (test|start)\b/g)].map(([, name]) => `script ${name}`),
  ...[...run.matchAll(/\b(?:node|bash) (scripts\/[\w./-]+)/g)].map(([, file]) => file!),
]

describe.each(files)('%s', (file) => {
  const { permissions, jobs } = read(file)
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  it('states what it may do, and may only read by default', () => {
    expect(permissions).toEqual({ contents: 'read' })
    expect(Object.values(jobs).filter((job) => job['timeout-minutes'] === undefined)).toEqual([])
  })

  it('gives no secret and no text of strangers to a shell', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([])
    expect(readText(`${FOLDER}/${file}`)).not.toMatch(/secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN|pull_request_target/)
  })

  it('names actions by the whole hash of a commit, with the version in a comment', () => {
    const lines = [...readText(`${FOLDER}/${file}`).matchAll(/uses: (.+)$/gm)].map(([, action]) => action!)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })

  it('calls scripts that are there', () => {
    const called = steps.flatMap(({ run = '' }) => calledBy(run))
    expect(called.length).toBeGreaterThan(0)
    const missing = called.filter((each) =>
      each.startsWith('script ') ? !(each.slice('script '.length) in scripts) : !existsSync(path.join(ROOT, each)),
    )
    expect(missing).toEqual([])
  })

  it('uses versions of Node that the packages allow', () => {
    const versions = steps.flatMap((step) => step.with?.['node-version'] ?? [])
    const fixed = versions.filter((version) => typeof version === 'number')
    expect(fixed.filter((version) => ![20, 22, 24].includes(version))).toEqual([])
  })
})

describe('CI', () => {
  it('runs on each supported version of Node and each system', () => {
    const { matrix } = read('ci.yml').jobs['units']!.strategy!
    expect(matrix.os.map((os) => os.replace('-latest', ''))).toEqual(['ubuntu', 'macos', 'windows'])
    expect(matrix.node).toEqual([20, 22, 24])
    // The oldest line, and every even one since.
    expect(engines.node).toBe('^20.19.0 || >=22.12.0')
  })
})

describe('the workflow that publishes', () => {
  const { pack, publish } = read('release.yml').jobs

  it('gives the right to publish to a job that installs and builds nothing', () => {
    expect(publish!.permissions).toEqual({ contents: 'write', 'id-token': 'write' })
    expect(publish!.environment).toBe('npm')
    expect(pack!.permissions).toBeUndefined()
    const runs = publish!.steps.map(({ run = '' }) => run).join('\n')
    expect(runs).not.toMatch(/\bnpm (?:ci|install|run)\b|checkout/)
    expect(runs).toContain('npm publish "./release/$tarball" --access public --provenance')
  })

  it('refuses a tag without a known signature, and one of another version', () => {
    const known = { verified: true, reason: 'valid' }
    expect(tagProblem('v1.2.3', '1.2.3', known)).toBeUndefined()
    expect(tagProblem('v1.2.4', '1.2.3', known)).toEqual(naming("'v1.2.4'", '1.2.3'))
    expect(tagProblem('v1.2.3', '1.2.3', undefined)).toContain('is not signed')
    expect(tagProblem('v1.2.3', '1.2.3', { verified: false, reason: 'unknown_key' })).toContain('unknown_key')
  })
})

describe('the forms for issues', () => {
  it.each(readdirSync(path.join(ROOT, '.github/ISSUE_TEMPLATE')))('%s is what GitHub takes', (file) => {
    const form = parse(readText(`.github/ISSUE_TEMPLATE/${file}`)) as Record<string, unknown>
    if (file === 'config.yml') expect(form).toMatchObject({ blank_issues_enabled: false })
    else {
      const body = form['body'] as { type: string; id: string; attributes: { label: string } }[]
      expect([typeof form['name'], typeof form['description']]).toEqual(['string', 'string'])
      expect(new Set(body.map(({ id }) => id)).size).toBe(body.length)
      expect(body.filter(({ attributes }) => !attributes.label)).toEqual([])
    }
  })
})
