import path from 'node:path'
import { createReport, writeReportPage } from '@pixpress/core/report'
import { useTemporaryFolder, failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { linkedPages, pageOfUrl, pagesOfFolder } from '../../src/site/pages.ts'

const folder = useTemporaryFolder()
const SITE = 'http://127.0.0.1:1/'

const writeReport = (file: string): Promise<void> =>
  writeReportPage(path.join(folder.path, file), createReport(new Map(), [], 0), folder.path)

const namesOf = async (): Promise<string[]> => (await pagesOfFolder(folder.path, SITE)).map(({ name }) => name)

describe('pagesOfFolder', () => {
  it('leaves out the report that pixpress wrote, whatever its name is', async () => {
    await folder.write({ 'index.html': '<h1>One</h1>', 'deep/two.htm': '<h1>Two</h1>' })
    await writeReport('report.html')
    await writeReport('deep/index.html')
    expect(await namesOf()).toEqual(['/deep/two.htm', '/'])
  })

  it('keeps pages that are called so, that write about the mark, or that another generator made', async () => {
    await folder.write({
      'report.html': '<h1>Of the year</h1>',
      'docs.html': '<code>&lt;meta name="generator" content="pixpress report"></code>',
      'other.html': '<meta name="generator" content="Astro v5"><h1>pixpress report</h1>',
      'empty.html': '',
    })
    expect(await namesOf()).toEqual(['/docs.html', '/empty.html', '/other.html', '/report.html'])
  })

  it('says what a folder without a page has', async () => {
    await expect(pagesOfFolder(folder.path, SITE)).rejects.toThrow(failure('UsageError', 'the site first'))
    await writeReport('report.html')
    await expect(pagesOfFolder(folder.path, SITE)).rejects.toThrow(failure('UsageError', 'the site first'))
  })
})

describe('the name of a page', () => {
  it('has the letters of its file', async () => {
    await folder.write({ 'о нас.html': '<h1>We</h1>' })
    const [page] = await pagesOfFolder(folder.path, SITE)
    expect(page).toEqual({ url: `${SITE}%D0%BE%20%D0%BD%D0%B0%D1%81.html`, name: '/о нас.html' })
    expect(pageOfUrl(page!.url)).toEqual(page)
    expect(linkedPages([page!.url], SITE)).toEqual([page])
  })
})
