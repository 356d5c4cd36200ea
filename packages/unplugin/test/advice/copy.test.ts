import { describe, expect, it } from 'vitest'
import { copyTexts } from '../../src/advice/copy.ts'
import type { CopySubject } from '../../src/advice/copy.ts'

const SUBJECT: CopySubject = { file: 'src/a.jpg', asked: '', type: 'image/jpeg', width: 800, places: [] }

const copied = (change: Partial<CopySubject>): [string, string][] =>
  copyTexts({ ...SUBJECT, ...change }).map(({ kind, text }) => [kind, text])

describe('copyTexts', () => {
  it('has what each kind of text takes, with the path that stands there', () => {
    const places = [
      { shown: 'src/main.js', text: "import a from './a.jpg'" },
      { shown: 'index.html', text: '<img src="/src/a.jpg"><img src="b.jpg">' },
      { shown: 'src/a.css', text: 'a { b: url(./a.jpg) }' },
      { shown: 'src/b.css', text: 'b { b: url(./a.jpg) }' },
    ]
    expect(copyTexts({ ...SUBJECT, places })).toEqual([
      { kind: 'import', places: ['src/main.js'], text: './a.jpg?w=200;400;800&format=avif;webp;jpeg&as=picture' },
      {
        kind: 'html',
        places: ['index.html'],
        text: 'srcset="/src/a.jpg?w=200 200w, /src/a.jpg?w=400 400w, /src/a.jpg?w=800 800w" sizes="100vw"',
      },
      { kind: 'css', places: ['src/a.css', 'src/b.css'], text: 'url("./a.jpg?w=800")' },
    ])
  })

  it('has all three where no place is known', () => {
    expect(copied({}).map(([kind]) => kind)).toEqual(['import', 'html', 'css'])
    expect(copied({ type: 'image/svg+xml' })).toEqual([
      ['import', './a.jpg'],
      ['html', 'src="./a.jpg"'],
      ['css', 'url("./a.jpg")'],
    ])
  })

  it('repeats what is asked for already, but not where only one image can stand', () => {
    expect(copied({ asked: 'w=90&format=webp' })).toEqual([
      ['import', './a.jpg?w=90&format=webp'],
      ['html', 'src="./a.jpg?w=90&amp;format=webp"'],
      ['css', 'url("./a.jpg?w=90&format=webp")'],
    ])
    expect(copied({ asked: 'w=90;180&as=srcset' })).toEqual([['import', './a.jpg?w=90;180&as=srcset']])
  })

  it('has nothing for a file that is copied as it is, and for a template', () => {
    expect(copied({ file: 'public/a.jpg', places: [{ shown: 'index.html', text: '<img src="/a.jpg">' }] })).toEqual([])
    expect(copied({ places: [{ shown: 'a.ejs', text: '<%= x %><img src="./a.jpg">' }] })).toEqual([])
  })
})
