// Made by scripts/client-types.mjs. A query that ends so, and not in `as=…`, gives a URL, or URLs behind a `;`.
declare module '*?as=urls' {
  const urls: string[]
  export default urls
}

declare module '*=avif' {
  export { default } from '*?as=url'
}

declare module '*;avif' {
  export { default } from '*?as=urls'
}

declare module '*=webp' {
  export { default } from '*?as=url'
}

declare module '*;webp' {
  export { default } from '*?as=urls'
}

declare module '*=jpeg' {
  export { default } from '*?as=url'
}

declare module '*;jpeg' {
  export { default } from '*?as=urls'
}

declare module '*=jpg' {
  export { default } from '*?as=url'
}

declare module '*;jpg' {
  export { default } from '*?as=urls'
}

declare module '*=png' {
  export { default } from '*?as=url'
}

declare module '*;png' {
  export { default } from '*?as=urls'
}

declare module '*=jxl' {
  export { default } from '*?as=url'
}

declare module '*;jxl' {
  export { default } from '*?as=urls'
}

declare module '*=auto' {
  export { default } from '*?as=url'
}

declare module '*;auto' {
  export { default } from '*?as=urls'
}

declare module '*=original' {
  export { default } from '*?as=url'
}

declare module '*;original' {
  export { default } from '*?as=urls'
}

declare module '*=cover' {
  export { default } from '*?as=url'
}

declare module '*;cover' {
  export { default } from '*?as=urls'
}

declare module '*=contain' {
  export { default } from '*?as=url'
}

declare module '*;contain' {
  export { default } from '*?as=urls'
}

declare module '*=fill' {
  export { default } from '*?as=url'
}

declare module '*;fill' {
  export { default } from '*?as=urls'
}

declare module '*=inside' {
  export { default } from '*?as=url'
}

declare module '*;inside' {
  export { default } from '*?as=urls'
}

declare module '*=outside' {
  export { default } from '*?as=url'
}

declare module '*;outside' {
  export { default } from '*?as=urls'
}

declare module '*=scale' {
  export { default } from '*?as=url'
}

declare module '*;scale' {
  export { default } from '*?as=urls'
}

declare module '*=fit' {
  export { default } from '*?as=url'
}

declare module '*;fit' {
  export { default } from '*?as=urls'
}

declare module '*=thumb' {
  export { default } from '*?as=url'
}

declare module '*;thumb' {
  export { default } from '*?as=urls'
}

declare module '*=top' {
  export { default } from '*?as=url'
}

declare module '*;top' {
  export { default } from '*?as=urls'
}

declare module '*=right' {
  export { default } from '*?as=url'
}

declare module '*;right' {
  export { default } from '*?as=urls'
}

declare module '*=bottom' {
  export { default } from '*?as=url'
}

declare module '*;bottom' {
  export { default } from '*?as=urls'
}

declare module '*=left' {
  export { default } from '*?as=url'
}

declare module '*;left' {
  export { default } from '*?as=urls'
}

declare module '*=centre' {
  export { default } from '*?as=url'
}

declare module '*;centre' {
  export { default } from '*?as=urls'
}

declare module '*=center' {
  export { default } from '*?as=url'
}

declare module '*;center' {
  export { default } from '*?as=urls'
}

declare module '*=entropy' {
  export { default } from '*?as=url'
}

declare module '*;entropy' {
  export { default } from '*?as=urls'
}

declare module '*=attention' {
  export { default } from '*?as=url'
}

declare module '*;attention' {
  export { default } from '*?as=urls'
}

declare module '*=nearest' {
  export { default } from '*?as=url'
}

declare module '*;nearest' {
  export { default } from '*?as=urls'
}

declare module '*=linear' {
  export { default } from '*?as=url'
}

declare module '*;linear' {
  export { default } from '*?as=urls'
}

declare module '*=cubic' {
  export { default } from '*?as=url'
}

declare module '*;cubic' {
  export { default } from '*?as=urls'
}

declare module '*=mitchell' {
  export { default } from '*?as=url'
}

declare module '*;mitchell' {
  export { default } from '*?as=urls'
}

declare module '*=lanczos2' {
  export { default } from '*?as=url'
}

declare module '*;lanczos2' {
  export { default } from '*?as=urls'
}

declare module '*=lanczos3' {
  export { default } from '*?as=url'
}

declare module '*;lanczos3' {
  export { default } from '*?as=urls'
}

declare module '*=mild' {
  export { default } from '*?as=url'
}

declare module '*;mild' {
  export { default } from '*?as=urls'
}

declare module '*=high' {
  export { default } from '*?as=url'
}

declare module '*;high' {
  export { default } from '*?as=urls'
}

declare module '*=balanced' {
  export { default } from '*?as=url'
}

declare module '*;balanced' {
  export { default } from '*?as=urls'
}

declare module '*=small' {
  export { default } from '*?as=url'
}

declare module '*;small' {
  export { default } from '*?as=urls'
}

declare module '*=fast' {
  export { default } from '*?as=url'
}

declare module '*;fast' {
  export { default } from '*?as=urls'
}

declare module '*=default' {
  export { default } from '*?as=url'
}

declare module '*;default' {
  export { default } from '*?as=urls'
}

declare module '*=max' {
  export { default } from '*?as=url'
}

declare module '*;max' {
  export { default } from '*?as=urls'
}

declare module '*=true' {
  export { default } from '*?as=url'
}

declare module '*;true' {
  export { default } from '*?as=urls'
}

declare module '*=false' {
  export { default } from '*?as=url'
}

declare module '*;false' {
  export { default } from '*?as=urls'
}

declare module '*=white' {
  export { default } from '*?as=url'
}

declare module '*;white' {
  export { default } from '*?as=urls'
}

declare module '*=black' {
  export { default } from '*?as=url'
}

declare module '*;black' {
  export { default } from '*?as=urls'
}

declare module '*=2' {
  export { default } from '*?as=url'
}

declare module '*;2' {
  export { default } from '*?as=urls'
}

declare module '*=4' {
  export { default } from '*?as=url'
}

declare module '*;4' {
  export { default } from '*?as=urls'
}

declare module '*=5' {
  export { default } from '*?as=url'
}

declare module '*;5' {
  export { default } from '*?as=urls'
}

declare module '*=6' {
  export { default } from '*?as=url'
}

declare module '*;6' {
  export { default } from '*?as=urls'
}

declare module '*=8' {
  export { default } from '*?as=url'
}

declare module '*;8' {
  export { default } from '*?as=urls'
}

declare module '*=10' {
  export { default } from '*?as=url'
}

declare module '*;10' {
  export { default } from '*?as=urls'
}

declare module '*=12' {
  export { default } from '*?as=url'
}

declare module '*;12' {
  export { default } from '*?as=urls'
}

declare module '*=14' {
  export { default } from '*?as=url'
}

declare module '*;14' {
  export { default } from '*?as=urls'
}

declare module '*=15' {
  export { default } from '*?as=url'
}

declare module '*;15' {
  export { default } from '*?as=urls'
}

declare module '*=16' {
  export { default } from '*?as=url'
}

declare module '*;16' {
  export { default } from '*?as=urls'
}

declare module '*=18' {
  export { default } from '*?as=url'
}

declare module '*;18' {
  export { default } from '*?as=urls'
}

declare module '*=20' {
  export { default } from '*?as=url'
}

declare module '*;20' {
  export { default } from '*?as=urls'
}

declare module '*=22' {
  export { default } from '*?as=url'
}

declare module '*;22' {
  export { default } from '*?as=urls'
}

declare module '*=24' {
  export { default } from '*?as=url'
}

declare module '*;24' {
  export { default } from '*?as=urls'
}

declare module '*=25' {
  export { default } from '*?as=url'
}

declare module '*;25' {
  export { default } from '*?as=urls'
}

declare module '*=26' {
  export { default } from '*?as=url'
}

declare module '*;26' {
  export { default } from '*?as=urls'
}

declare module '*=28' {
  export { default } from '*?as=url'
}

declare module '*;28' {
  export { default } from '*?as=urls'
}

declare module '*=30' {
  export { default } from '*?as=url'
}

declare module '*;30' {
  export { default } from '*?as=urls'
}

declare module '*=32' {
  export { default } from '*?as=url'
}

declare module '*;32' {
  export { default } from '*?as=urls'
}

declare module '*=34' {
  export { default } from '*?as=url'
}

declare module '*;34' {
  export { default } from '*?as=urls'
}

declare module '*=35' {
  export { default } from '*?as=url'
}

declare module '*;35' {
  export { default } from '*?as=urls'
}

declare module '*=36' {
  export { default } from '*?as=url'
}

declare module '*;36' {
  export { default } from '*?as=urls'
}

declare module '*=38' {
  export { default } from '*?as=url'
}

declare module '*;38' {
  export { default } from '*?as=urls'
}

declare module '*=40' {
  export { default } from '*?as=url'
}

declare module '*;40' {
  export { default } from '*?as=urls'
}

declare module '*=42' {
  export { default } from '*?as=url'
}

declare module '*;42' {
  export { default } from '*?as=urls'
}

declare module '*=44' {
  export { default } from '*?as=url'
}

declare module '*;44' {
  export { default } from '*?as=urls'
}

declare module '*=45' {
  export { default } from '*?as=url'
}

declare module '*;45' {
  export { default } from '*?as=urls'
}

declare module '*=46' {
  export { default } from '*?as=url'
}

declare module '*;46' {
  export { default } from '*?as=urls'
}

declare module '*=48' {
  export { default } from '*?as=url'
}

declare module '*;48' {
  export { default } from '*?as=urls'
}

declare module '*=50' {
  export { default } from '*?as=url'
}

declare module '*;50' {
  export { default } from '*?as=urls'
}

declare module '*=52' {
  export { default } from '*?as=url'
}

declare module '*;52' {
  export { default } from '*?as=urls'
}

declare module '*=54' {
  export { default } from '*?as=url'
}

declare module '*;54' {
  export { default } from '*?as=urls'
}

declare module '*=55' {
  export { default } from '*?as=url'
}

declare module '*;55' {
  export { default } from '*?as=urls'
}

declare module '*=56' {
  export { default } from '*?as=url'
}

declare module '*;56' {
  export { default } from '*?as=urls'
}

declare module '*=58' {
  export { default } from '*?as=url'
}

declare module '*;58' {
  export { default } from '*?as=urls'
}

declare module '*=60' {
  export { default } from '*?as=url'
}

declare module '*;60' {
  export { default } from '*?as=urls'
}

declare module '*=62' {
  export { default } from '*?as=url'
}

declare module '*;62' {
  export { default } from '*?as=urls'
}

declare module '*=64' {
  export { default } from '*?as=url'
}

declare module '*;64' {
  export { default } from '*?as=urls'
}

declare module '*=65' {
  export { default } from '*?as=url'
}

declare module '*;65' {
  export { default } from '*?as=urls'
}

declare module '*=66' {
  export { default } from '*?as=url'
}

declare module '*;66' {
  export { default } from '*?as=urls'
}

declare module '*=68' {
  export { default } from '*?as=url'
}

declare module '*;68' {
  export { default } from '*?as=urls'
}

declare module '*=70' {
  export { default } from '*?as=url'
}

declare module '*;70' {
  export { default } from '*?as=urls'
}

declare module '*=72' {
  export { default } from '*?as=url'
}

declare module '*;72' {
  export { default } from '*?as=urls'
}

declare module '*=74' {
  export { default } from '*?as=url'
}

declare module '*;74' {
  export { default } from '*?as=urls'
}

declare module '*=75' {
  export { default } from '*?as=url'
}

declare module '*;75' {
  export { default } from '*?as=urls'
}

declare module '*=76' {
  export { default } from '*?as=url'
}

declare module '*;76' {
  export { default } from '*?as=urls'
}

declare module '*=78' {
  export { default } from '*?as=url'
}

declare module '*;78' {
  export { default } from '*?as=urls'
}

declare module '*=80' {
  export { default } from '*?as=url'
}

declare module '*;80' {
  export { default } from '*?as=urls'
}

declare module '*=82' {
  export { default } from '*?as=url'
}

declare module '*;82' {
  export { default } from '*?as=urls'
}

declare module '*=84' {
  export { default } from '*?as=url'
}

declare module '*;84' {
  export { default } from '*?as=urls'
}

declare module '*=85' {
  export { default } from '*?as=url'
}

declare module '*;85' {
  export { default } from '*?as=urls'
}

declare module '*=86' {
  export { default } from '*?as=url'
}

declare module '*;86' {
  export { default } from '*?as=urls'
}

declare module '*=88' {
  export { default } from '*?as=url'
}

declare module '*;88' {
  export { default } from '*?as=urls'
}

declare module '*=90' {
  export { default } from '*?as=url'
}

declare module '*;90' {
  export { default } from '*?as=urls'
}

declare module '*=92' {
  export { default } from '*?as=url'
}

declare module '*;92' {
  export { default } from '*?as=urls'
}

declare module '*=94' {
  export { default } from '*?as=url'
}

declare module '*;94' {
  export { default } from '*?as=urls'
}

declare module '*=95' {
  export { default } from '*?as=url'
}

declare module '*;95' {
  export { default } from '*?as=urls'
}

declare module '*=96' {
  export { default } from '*?as=url'
}

declare module '*;96' {
  export { default } from '*?as=urls'
}

declare module '*=98' {
  export { default } from '*?as=url'
}

declare module '*;98' {
  export { default } from '*?as=urls'
}

declare module '*=100' {
  export { default } from '*?as=url'
}

declare module '*;100' {
  export { default } from '*?as=urls'
}

declare module '*=102' {
  export { default } from '*?as=url'
}

declare module '*;102' {
  export { default } from '*?as=urls'
}

declare module '*=104' {
  export { default } from '*?as=url'
}

declare module '*;104' {
  export { default } from '*?as=urls'
}

declare module '*=105' {
  export { default } from '*?as=url'
}

declare module '*;105' {
  export { default } from '*?as=urls'
}

declare module '*=106' {
  export { default } from '*?as=url'
}

declare module '*;106' {
  export { default } from '*?as=urls'
}

declare module '*=108' {
  export { default } from '*?as=url'
}

declare module '*;108' {
  export { default } from '*?as=urls'
}

declare module '*=110' {
  export { default } from '*?as=url'
}

declare module '*;110' {
  export { default } from '*?as=urls'
}

declare module '*=112' {
  export { default } from '*?as=url'
}

declare module '*;112' {
  export { default } from '*?as=urls'
}

declare module '*=114' {
  export { default } from '*?as=url'
}

declare module '*;114' {
  export { default } from '*?as=urls'
}

declare module '*=115' {
  export { default } from '*?as=url'
}

declare module '*;115' {
  export { default } from '*?as=urls'
}

declare module '*=116' {
  export { default } from '*?as=url'
}

declare module '*;116' {
  export { default } from '*?as=urls'
}

declare module '*=118' {
  export { default } from '*?as=url'
}

declare module '*;118' {
  export { default } from '*?as=urls'
}

declare module '*=120' {
  export { default } from '*?as=url'
}

declare module '*;120' {
  export { default } from '*?as=urls'
}

declare module '*=122' {
  export { default } from '*?as=url'
}

declare module '*;122' {
  export { default } from '*?as=urls'
}

declare module '*=124' {
  export { default } from '*?as=url'
}

declare module '*;124' {
  export { default } from '*?as=urls'
}

declare module '*=125' {
  export { default } from '*?as=url'
}

declare module '*;125' {
  export { default } from '*?as=urls'
}

declare module '*=126' {
  export { default } from '*?as=url'
}

declare module '*;126' {
  export { default } from '*?as=urls'
}

declare module '*=128' {
  export { default } from '*?as=url'
}

declare module '*;128' {
  export { default } from '*?as=urls'
}

declare module '*=130' {
  export { default } from '*?as=url'
}

declare module '*;130' {
  export { default } from '*?as=urls'
}

declare module '*=132' {
  export { default } from '*?as=url'
}

declare module '*;132' {
  export { default } from '*?as=urls'
}

declare module '*=134' {
  export { default } from '*?as=url'
}

declare module '*;134' {
  export { default } from '*?as=urls'
}

declare module '*=135' {
  export { default } from '*?as=url'
}

declare module '*;135' {
  export { default } from '*?as=urls'
}

declare module '*=136' {
  export { default } from '*?as=url'
}

declare module '*;136' {
  export { default } from '*?as=urls'
}

declare module '*=138' {
  export { default } from '*?as=url'
}

declare module '*;138' {
  export { default } from '*?as=urls'
}

declare module '*=140' {
  export { default } from '*?as=url'
}

declare module '*;140' {
  export { default } from '*?as=urls'
}

declare module '*=142' {
  export { default } from '*?as=url'
}

declare module '*;142' {
  export { default } from '*?as=urls'
}

declare module '*=144' {
  export { default } from '*?as=url'
}

declare module '*;144' {
  export { default } from '*?as=urls'
}

declare module '*=145' {
  export { default } from '*?as=url'
}

declare module '*;145' {
  export { default } from '*?as=urls'
}

declare module '*=146' {
  export { default } from '*?as=url'
}

declare module '*;146' {
  export { default } from '*?as=urls'
}

declare module '*=148' {
  export { default } from '*?as=url'
}

declare module '*;148' {
  export { default } from '*?as=urls'
}

declare module '*=150' {
  export { default } from '*?as=url'
}

declare module '*;150' {
  export { default } from '*?as=urls'
}

declare module '*=152' {
  export { default } from '*?as=url'
}

declare module '*;152' {
  export { default } from '*?as=urls'
}

declare module '*=154' {
  export { default } from '*?as=url'
}

declare module '*;154' {
  export { default } from '*?as=urls'
}

declare module '*=155' {
  export { default } from '*?as=url'
}

declare module '*;155' {
  export { default } from '*?as=urls'
}

declare module '*=156' {
  export { default } from '*?as=url'
}

declare module '*;156' {
  export { default } from '*?as=urls'
}

declare module '*=158' {
  export { default } from '*?as=url'
}

declare module '*;158' {
  export { default } from '*?as=urls'
}

declare module '*=160' {
  export { default } from '*?as=url'
}

declare module '*;160' {
  export { default } from '*?as=urls'
}

declare module '*=162' {
  export { default } from '*?as=url'
}

declare module '*;162' {
  export { default } from '*?as=urls'
}

declare module '*=164' {
  export { default } from '*?as=url'
}

declare module '*;164' {
  export { default } from '*?as=urls'
}

declare module '*=165' {
  export { default } from '*?as=url'
}

declare module '*;165' {
  export { default } from '*?as=urls'
}

declare module '*=166' {
  export { default } from '*?as=url'
}

declare module '*;166' {
  export { default } from '*?as=urls'
}

declare module '*=168' {
  export { default } from '*?as=url'
}

declare module '*;168' {
  export { default } from '*?as=urls'
}

declare module '*=170' {
  export { default } from '*?as=url'
}

declare module '*;170' {
  export { default } from '*?as=urls'
}

declare module '*=172' {
  export { default } from '*?as=url'
}

declare module '*;172' {
  export { default } from '*?as=urls'
}

declare module '*=174' {
  export { default } from '*?as=url'
}

declare module '*;174' {
  export { default } from '*?as=urls'
}

declare module '*=175' {
  export { default } from '*?as=url'
}

declare module '*;175' {
  export { default } from '*?as=urls'
}

declare module '*=176' {
  export { default } from '*?as=url'
}

declare module '*;176' {
  export { default } from '*?as=urls'
}

declare module '*=178' {
  export { default } from '*?as=url'
}

declare module '*;178' {
  export { default } from '*?as=urls'
}

declare module '*=180' {
  export { default } from '*?as=url'
}

declare module '*;180' {
  export { default } from '*?as=urls'
}

declare module '*=182' {
  export { default } from '*?as=url'
}

declare module '*;182' {
  export { default } from '*?as=urls'
}

declare module '*=184' {
  export { default } from '*?as=url'
}

declare module '*;184' {
  export { default } from '*?as=urls'
}

declare module '*=185' {
  export { default } from '*?as=url'
}

declare module '*;185' {
  export { default } from '*?as=urls'
}

declare module '*=186' {
  export { default } from '*?as=url'
}

declare module '*;186' {
  export { default } from '*?as=urls'
}

declare module '*=188' {
  export { default } from '*?as=url'
}

declare module '*;188' {
  export { default } from '*?as=urls'
}

declare module '*=190' {
  export { default } from '*?as=url'
}

declare module '*;190' {
  export { default } from '*?as=urls'
}

declare module '*=192' {
  export { default } from '*?as=url'
}

declare module '*;192' {
  export { default } from '*?as=urls'
}

declare module '*=194' {
  export { default } from '*?as=url'
}

declare module '*;194' {
  export { default } from '*?as=urls'
}

declare module '*=195' {
  export { default } from '*?as=url'
}

declare module '*;195' {
  export { default } from '*?as=urls'
}

declare module '*=196' {
  export { default } from '*?as=url'
}

declare module '*;196' {
  export { default } from '*?as=urls'
}

declare module '*=198' {
  export { default } from '*?as=url'
}

declare module '*;198' {
  export { default } from '*?as=urls'
}

declare module '*=200' {
  export { default } from '*?as=url'
}

declare module '*;200' {
  export { default } from '*?as=urls'
}

declare module '*=202' {
  export { default } from '*?as=url'
}

declare module '*;202' {
  export { default } from '*?as=urls'
}

declare module '*=204' {
  export { default } from '*?as=url'
}

declare module '*;204' {
  export { default } from '*?as=urls'
}

declare module '*=205' {
  export { default } from '*?as=url'
}

declare module '*;205' {
  export { default } from '*?as=urls'
}

declare module '*=206' {
  export { default } from '*?as=url'
}

declare module '*;206' {
  export { default } from '*?as=urls'
}

declare module '*=208' {
  export { default } from '*?as=url'
}

declare module '*;208' {
  export { default } from '*?as=urls'
}

declare module '*=210' {
  export { default } from '*?as=url'
}

declare module '*;210' {
  export { default } from '*?as=urls'
}

declare module '*=212' {
  export { default } from '*?as=url'
}

declare module '*;212' {
  export { default } from '*?as=urls'
}

declare module '*=214' {
  export { default } from '*?as=url'
}

declare module '*;214' {
  export { default } from '*?as=urls'
}

declare module '*=215' {
  export { default } from '*?as=url'
}

declare module '*;215' {
  export { default } from '*?as=urls'
}

declare module '*=216' {
  export { default } from '*?as=url'
}

declare module '*;216' {
  export { default } from '*?as=urls'
}

declare module '*=218' {
  export { default } from '*?as=url'
}

declare module '*;218' {
  export { default } from '*?as=urls'
}

declare module '*=220' {
  export { default } from '*?as=url'
}

declare module '*;220' {
  export { default } from '*?as=urls'
}

declare module '*=222' {
  export { default } from '*?as=url'
}

declare module '*;222' {
  export { default } from '*?as=urls'
}

declare module '*=224' {
  export { default } from '*?as=url'
}

declare module '*;224' {
  export { default } from '*?as=urls'
}

declare module '*=225' {
  export { default } from '*?as=url'
}

declare module '*;225' {
  export { default } from '*?as=urls'
}

declare module '*=226' {
  export { default } from '*?as=url'
}

declare module '*;226' {
  export { default } from '*?as=urls'
}

declare module '*=228' {
  export { default } from '*?as=url'
}

declare module '*;228' {
  export { default } from '*?as=urls'
}

declare module '*=230' {
  export { default } from '*?as=url'
}

declare module '*;230' {
  export { default } from '*?as=urls'
}

declare module '*=232' {
  export { default } from '*?as=url'
}

declare module '*;232' {
  export { default } from '*?as=urls'
}

declare module '*=234' {
  export { default } from '*?as=url'
}

declare module '*;234' {
  export { default } from '*?as=urls'
}

declare module '*=235' {
  export { default } from '*?as=url'
}

declare module '*;235' {
  export { default } from '*?as=urls'
}

declare module '*=236' {
  export { default } from '*?as=url'
}

declare module '*;236' {
  export { default } from '*?as=urls'
}

declare module '*=238' {
  export { default } from '*?as=url'
}

declare module '*;238' {
  export { default } from '*?as=urls'
}

declare module '*=240' {
  export { default } from '*?as=url'
}

declare module '*;240' {
  export { default } from '*?as=urls'
}

declare module '*=242' {
  export { default } from '*?as=url'
}

declare module '*;242' {
  export { default } from '*?as=urls'
}

declare module '*=244' {
  export { default } from '*?as=url'
}

declare module '*;244' {
  export { default } from '*?as=urls'
}

declare module '*=245' {
  export { default } from '*?as=url'
}

declare module '*;245' {
  export { default } from '*?as=urls'
}

declare module '*=246' {
  export { default } from '*?as=url'
}

declare module '*;246' {
  export { default } from '*?as=urls'
}

declare module '*=248' {
  export { default } from '*?as=url'
}

declare module '*;248' {
  export { default } from '*?as=urls'
}

declare module '*=250' {
  export { default } from '*?as=url'
}

declare module '*;250' {
  export { default } from '*?as=urls'
}

declare module '*=252' {
  export { default } from '*?as=url'
}

declare module '*;252' {
  export { default } from '*?as=urls'
}

declare module '*=254' {
  export { default } from '*?as=url'
}

declare module '*;254' {
  export { default } from '*?as=urls'
}

declare module '*=255' {
  export { default } from '*?as=url'
}

declare module '*;255' {
  export { default } from '*?as=urls'
}

declare module '*=256' {
  export { default } from '*?as=url'
}

declare module '*;256' {
  export { default } from '*?as=urls'
}

declare module '*=258' {
  export { default } from '*?as=url'
}

declare module '*;258' {
  export { default } from '*?as=urls'
}

declare module '*=260' {
  export { default } from '*?as=url'
}

declare module '*;260' {
  export { default } from '*?as=urls'
}

declare module '*=262' {
  export { default } from '*?as=url'
}

declare module '*;262' {
  export { default } from '*?as=urls'
}

declare module '*=264' {
  export { default } from '*?as=url'
}

declare module '*;264' {
  export { default } from '*?as=urls'
}

declare module '*=265' {
  export { default } from '*?as=url'
}

declare module '*;265' {
  export { default } from '*?as=urls'
}

declare module '*=266' {
  export { default } from '*?as=url'
}

declare module '*;266' {
  export { default } from '*?as=urls'
}

declare module '*=268' {
  export { default } from '*?as=url'
}

declare module '*;268' {
  export { default } from '*?as=urls'
}

declare module '*=270' {
  export { default } from '*?as=url'
}

declare module '*;270' {
  export { default } from '*?as=urls'
}

declare module '*=272' {
  export { default } from '*?as=url'
}

declare module '*;272' {
  export { default } from '*?as=urls'
}

declare module '*=274' {
  export { default } from '*?as=url'
}

declare module '*;274' {
  export { default } from '*?as=urls'
}

declare module '*=275' {
  export { default } from '*?as=url'
}

declare module '*;275' {
  export { default } from '*?as=urls'
}

declare module '*=276' {
  export { default } from '*?as=url'
}

declare module '*;276' {
  export { default } from '*?as=urls'
}

declare module '*=278' {
  export { default } from '*?as=url'
}

declare module '*;278' {
  export { default } from '*?as=urls'
}

declare module '*=280' {
  export { default } from '*?as=url'
}

declare module '*;280' {
  export { default } from '*?as=urls'
}

declare module '*=282' {
  export { default } from '*?as=url'
}

declare module '*;282' {
  export { default } from '*?as=urls'
}

declare module '*=284' {
  export { default } from '*?as=url'
}

declare module '*;284' {
  export { default } from '*?as=urls'
}

declare module '*=285' {
  export { default } from '*?as=url'
}

declare module '*;285' {
  export { default } from '*?as=urls'
}

declare module '*=286' {
  export { default } from '*?as=url'
}

declare module '*;286' {
  export { default } from '*?as=urls'
}

declare module '*=288' {
  export { default } from '*?as=url'
}

declare module '*;288' {
  export { default } from '*?as=urls'
}

declare module '*=290' {
  export { default } from '*?as=url'
}

declare module '*;290' {
  export { default } from '*?as=urls'
}

declare module '*=292' {
  export { default } from '*?as=url'
}

declare module '*;292' {
  export { default } from '*?as=urls'
}

declare module '*=294' {
  export { default } from '*?as=url'
}

declare module '*;294' {
  export { default } from '*?as=urls'
}

declare module '*=295' {
  export { default } from '*?as=url'
}

declare module '*;295' {
  export { default } from '*?as=urls'
}

declare module '*=296' {
  export { default } from '*?as=url'
}

declare module '*;296' {
  export { default } from '*?as=urls'
}

declare module '*=298' {
  export { default } from '*?as=url'
}

declare module '*;298' {
  export { default } from '*?as=urls'
}

declare module '*=300' {
  export { default } from '*?as=url'
}

declare module '*;300' {
  export { default } from '*?as=urls'
}

declare module '*=302' {
  export { default } from '*?as=url'
}

declare module '*;302' {
  export { default } from '*?as=urls'
}

declare module '*=304' {
  export { default } from '*?as=url'
}

declare module '*;304' {
  export { default } from '*?as=urls'
}

declare module '*=305' {
  export { default } from '*?as=url'
}

declare module '*;305' {
  export { default } from '*?as=urls'
}

declare module '*=306' {
  export { default } from '*?as=url'
}

declare module '*;306' {
  export { default } from '*?as=urls'
}

declare module '*=308' {
  export { default } from '*?as=url'
}

declare module '*;308' {
  export { default } from '*?as=urls'
}

declare module '*=310' {
  export { default } from '*?as=url'
}

declare module '*;310' {
  export { default } from '*?as=urls'
}

declare module '*=312' {
  export { default } from '*?as=url'
}

declare module '*;312' {
  export { default } from '*?as=urls'
}

declare module '*=314' {
  export { default } from '*?as=url'
}

declare module '*;314' {
  export { default } from '*?as=urls'
}

declare module '*=315' {
  export { default } from '*?as=url'
}

declare module '*;315' {
  export { default } from '*?as=urls'
}

declare module '*=316' {
  export { default } from '*?as=url'
}

declare module '*;316' {
  export { default } from '*?as=urls'
}

declare module '*=318' {
  export { default } from '*?as=url'
}

declare module '*;318' {
  export { default } from '*?as=urls'
}

declare module '*=320' {
  export { default } from '*?as=url'
}

declare module '*;320' {
  export { default } from '*?as=urls'
}

declare module '*=322' {
  export { default } from '*?as=url'
}

declare module '*;322' {
  export { default } from '*?as=urls'
}

declare module '*=324' {
  export { default } from '*?as=url'
}

declare module '*;324' {
  export { default } from '*?as=urls'
}

declare module '*=325' {
  export { default } from '*?as=url'
}

declare module '*;325' {
  export { default } from '*?as=urls'
}

declare module '*=326' {
  export { default } from '*?as=url'
}

declare module '*;326' {
  export { default } from '*?as=urls'
}

declare module '*=328' {
  export { default } from '*?as=url'
}

declare module '*;328' {
  export { default } from '*?as=urls'
}

declare module '*=330' {
  export { default } from '*?as=url'
}

declare module '*;330' {
  export { default } from '*?as=urls'
}

declare module '*=332' {
  export { default } from '*?as=url'
}

declare module '*;332' {
  export { default } from '*?as=urls'
}

declare module '*=334' {
  export { default } from '*?as=url'
}

declare module '*;334' {
  export { default } from '*?as=urls'
}

declare module '*=335' {
  export { default } from '*?as=url'
}

declare module '*;335' {
  export { default } from '*?as=urls'
}

declare module '*=336' {
  export { default } from '*?as=url'
}

declare module '*;336' {
  export { default } from '*?as=urls'
}

declare module '*=338' {
  export { default } from '*?as=url'
}

declare module '*;338' {
  export { default } from '*?as=urls'
}

declare module '*=340' {
  export { default } from '*?as=url'
}

declare module '*;340' {
  export { default } from '*?as=urls'
}

declare module '*=342' {
  export { default } from '*?as=url'
}

declare module '*;342' {
  export { default } from '*?as=urls'
}

declare module '*=344' {
  export { default } from '*?as=url'
}

declare module '*;344' {
  export { default } from '*?as=urls'
}

declare module '*=345' {
  export { default } from '*?as=url'
}

declare module '*;345' {
  export { default } from '*?as=urls'
}

declare module '*=346' {
  export { default } from '*?as=url'
}

declare module '*;346' {
  export { default } from '*?as=urls'
}

declare module '*=348' {
  export { default } from '*?as=url'
}

declare module '*;348' {
  export { default } from '*?as=urls'
}

declare module '*=350' {
  export { default } from '*?as=url'
}

declare module '*;350' {
  export { default } from '*?as=urls'
}

declare module '*=352' {
  export { default } from '*?as=url'
}

declare module '*;352' {
  export { default } from '*?as=urls'
}

declare module '*=354' {
  export { default } from '*?as=url'
}

declare module '*;354' {
  export { default } from '*?as=urls'
}

declare module '*=355' {
  export { default } from '*?as=url'
}

declare module '*;355' {
  export { default } from '*?as=urls'
}

declare module '*=356' {
  export { default } from '*?as=url'
}

declare module '*;356' {
  export { default } from '*?as=urls'
}

declare module '*=358' {
  export { default } from '*?as=url'
}

declare module '*;358' {
  export { default } from '*?as=urls'
}

declare module '*=360' {
  export { default } from '*?as=url'
}

declare module '*;360' {
  export { default } from '*?as=urls'
}

declare module '*=362' {
  export { default } from '*?as=url'
}

declare module '*;362' {
  export { default } from '*?as=urls'
}

declare module '*=364' {
  export { default } from '*?as=url'
}

declare module '*;364' {
  export { default } from '*?as=urls'
}

declare module '*=365' {
  export { default } from '*?as=url'
}

declare module '*;365' {
  export { default } from '*?as=urls'
}

declare module '*=366' {
  export { default } from '*?as=url'
}

declare module '*;366' {
  export { default } from '*?as=urls'
}

declare module '*=368' {
  export { default } from '*?as=url'
}

declare module '*;368' {
  export { default } from '*?as=urls'
}

declare module '*=370' {
  export { default } from '*?as=url'
}

declare module '*;370' {
  export { default } from '*?as=urls'
}

declare module '*=372' {
  export { default } from '*?as=url'
}

declare module '*;372' {
  export { default } from '*?as=urls'
}

declare module '*=374' {
  export { default } from '*?as=url'
}

declare module '*;374' {
  export { default } from '*?as=urls'
}

declare module '*=375' {
  export { default } from '*?as=url'
}

declare module '*;375' {
  export { default } from '*?as=urls'
}

declare module '*=376' {
  export { default } from '*?as=url'
}

declare module '*;376' {
  export { default } from '*?as=urls'
}

declare module '*=378' {
  export { default } from '*?as=url'
}

declare module '*;378' {
  export { default } from '*?as=urls'
}

declare module '*=380' {
  export { default } from '*?as=url'
}

declare module '*;380' {
  export { default } from '*?as=urls'
}

declare module '*=382' {
  export { default } from '*?as=url'
}

declare module '*;382' {
  export { default } from '*?as=urls'
}

declare module '*=384' {
  export { default } from '*?as=url'
}

declare module '*;384' {
  export { default } from '*?as=urls'
}

declare module '*=385' {
  export { default } from '*?as=url'
}

declare module '*;385' {
  export { default } from '*?as=urls'
}

declare module '*=386' {
  export { default } from '*?as=url'
}

declare module '*;386' {
  export { default } from '*?as=urls'
}

declare module '*=388' {
  export { default } from '*?as=url'
}

declare module '*;388' {
  export { default } from '*?as=urls'
}

declare module '*=390' {
  export { default } from '*?as=url'
}

declare module '*;390' {
  export { default } from '*?as=urls'
}

declare module '*=392' {
  export { default } from '*?as=url'
}

declare module '*;392' {
  export { default } from '*?as=urls'
}

declare module '*=394' {
  export { default } from '*?as=url'
}

declare module '*;394' {
  export { default } from '*?as=urls'
}

declare module '*=395' {
  export { default } from '*?as=url'
}

declare module '*;395' {
  export { default } from '*?as=urls'
}

declare module '*=396' {
  export { default } from '*?as=url'
}

declare module '*;396' {
  export { default } from '*?as=urls'
}

declare module '*=398' {
  export { default } from '*?as=url'
}

declare module '*;398' {
  export { default } from '*?as=urls'
}

declare module '*=400' {
  export { default } from '*?as=url'
}

declare module '*;400' {
  export { default } from '*?as=urls'
}

declare module '*=402' {
  export { default } from '*?as=url'
}

declare module '*;402' {
  export { default } from '*?as=urls'
}

declare module '*=404' {
  export { default } from '*?as=url'
}

declare module '*;404' {
  export { default } from '*?as=urls'
}

declare module '*=405' {
  export { default } from '*?as=url'
}

declare module '*;405' {
  export { default } from '*?as=urls'
}

declare module '*=406' {
  export { default } from '*?as=url'
}

declare module '*;406' {
  export { default } from '*?as=urls'
}

declare module '*=408' {
  export { default } from '*?as=url'
}

declare module '*;408' {
  export { default } from '*?as=urls'
}

declare module '*=410' {
  export { default } from '*?as=url'
}

declare module '*;410' {
  export { default } from '*?as=urls'
}

declare module '*=412' {
  export { default } from '*?as=url'
}

declare module '*;412' {
  export { default } from '*?as=urls'
}

declare module '*=414' {
  export { default } from '*?as=url'
}

declare module '*;414' {
  export { default } from '*?as=urls'
}

declare module '*=415' {
  export { default } from '*?as=url'
}

declare module '*;415' {
  export { default } from '*?as=urls'
}

declare module '*=416' {
  export { default } from '*?as=url'
}

declare module '*;416' {
  export { default } from '*?as=urls'
}

declare module '*=418' {
  export { default } from '*?as=url'
}

declare module '*;418' {
  export { default } from '*?as=urls'
}

declare module '*=420' {
  export { default } from '*?as=url'
}

declare module '*;420' {
  export { default } from '*?as=urls'
}

declare module '*=422' {
  export { default } from '*?as=url'
}

declare module '*;422' {
  export { default } from '*?as=urls'
}

declare module '*=424' {
  export { default } from '*?as=url'
}

declare module '*;424' {
  export { default } from '*?as=urls'
}

declare module '*=425' {
  export { default } from '*?as=url'
}

declare module '*;425' {
  export { default } from '*?as=urls'
}

declare module '*=426' {
  export { default } from '*?as=url'
}

declare module '*;426' {
  export { default } from '*?as=urls'
}

declare module '*=428' {
  export { default } from '*?as=url'
}

declare module '*;428' {
  export { default } from '*?as=urls'
}

declare module '*=430' {
  export { default } from '*?as=url'
}

declare module '*;430' {
  export { default } from '*?as=urls'
}

declare module '*=432' {
  export { default } from '*?as=url'
}

declare module '*;432' {
  export { default } from '*?as=urls'
}

declare module '*=434' {
  export { default } from '*?as=url'
}

declare module '*;434' {
  export { default } from '*?as=urls'
}

declare module '*=435' {
  export { default } from '*?as=url'
}

declare module '*;435' {
  export { default } from '*?as=urls'
}

declare module '*=436' {
  export { default } from '*?as=url'
}

declare module '*;436' {
  export { default } from '*?as=urls'
}

declare module '*=438' {
  export { default } from '*?as=url'
}

declare module '*;438' {
  export { default } from '*?as=urls'
}

declare module '*=440' {
  export { default } from '*?as=url'
}

declare module '*;440' {
  export { default } from '*?as=urls'
}

declare module '*=442' {
  export { default } from '*?as=url'
}

declare module '*;442' {
  export { default } from '*?as=urls'
}

declare module '*=444' {
  export { default } from '*?as=url'
}

declare module '*;444' {
  export { default } from '*?as=urls'
}

declare module '*=445' {
  export { default } from '*?as=url'
}

declare module '*;445' {
  export { default } from '*?as=urls'
}

declare module '*=446' {
  export { default } from '*?as=url'
}

declare module '*;446' {
  export { default } from '*?as=urls'
}

declare module '*=448' {
  export { default } from '*?as=url'
}

declare module '*;448' {
  export { default } from '*?as=urls'
}

declare module '*=450' {
  export { default } from '*?as=url'
}

declare module '*;450' {
  export { default } from '*?as=urls'
}

declare module '*=452' {
  export { default } from '*?as=url'
}

declare module '*;452' {
  export { default } from '*?as=urls'
}

declare module '*=454' {
  export { default } from '*?as=url'
}

declare module '*;454' {
  export { default } from '*?as=urls'
}

declare module '*=455' {
  export { default } from '*?as=url'
}

declare module '*;455' {
  export { default } from '*?as=urls'
}

declare module '*=456' {
  export { default } from '*?as=url'
}

declare module '*;456' {
  export { default } from '*?as=urls'
}

declare module '*=458' {
  export { default } from '*?as=url'
}

declare module '*;458' {
  export { default } from '*?as=urls'
}

declare module '*=460' {
  export { default } from '*?as=url'
}

declare module '*;460' {
  export { default } from '*?as=urls'
}

declare module '*=462' {
  export { default } from '*?as=url'
}

declare module '*;462' {
  export { default } from '*?as=urls'
}

declare module '*=464' {
  export { default } from '*?as=url'
}

declare module '*;464' {
  export { default } from '*?as=urls'
}

declare module '*=465' {
  export { default } from '*?as=url'
}

declare module '*;465' {
  export { default } from '*?as=urls'
}

declare module '*=466' {
  export { default } from '*?as=url'
}

declare module '*;466' {
  export { default } from '*?as=urls'
}

declare module '*=468' {
  export { default } from '*?as=url'
}

declare module '*;468' {
  export { default } from '*?as=urls'
}

declare module '*=470' {
  export { default } from '*?as=url'
}

declare module '*;470' {
  export { default } from '*?as=urls'
}

declare module '*=472' {
  export { default } from '*?as=url'
}

declare module '*;472' {
  export { default } from '*?as=urls'
}

declare module '*=474' {
  export { default } from '*?as=url'
}

declare module '*;474' {
  export { default } from '*?as=urls'
}

declare module '*=475' {
  export { default } from '*?as=url'
}

declare module '*;475' {
  export { default } from '*?as=urls'
}

declare module '*=476' {
  export { default } from '*?as=url'
}

declare module '*;476' {
  export { default } from '*?as=urls'
}

declare module '*=478' {
  export { default } from '*?as=url'
}

declare module '*;478' {
  export { default } from '*?as=urls'
}

declare module '*=480' {
  export { default } from '*?as=url'
}

declare module '*;480' {
  export { default } from '*?as=urls'
}

declare module '*=482' {
  export { default } from '*?as=url'
}

declare module '*;482' {
  export { default } from '*?as=urls'
}

declare module '*=484' {
  export { default } from '*?as=url'
}

declare module '*;484' {
  export { default } from '*?as=urls'
}

declare module '*=485' {
  export { default } from '*?as=url'
}

declare module '*;485' {
  export { default } from '*?as=urls'
}

declare module '*=486' {
  export { default } from '*?as=url'
}

declare module '*;486' {
  export { default } from '*?as=urls'
}

declare module '*=488' {
  export { default } from '*?as=url'
}

declare module '*;488' {
  export { default } from '*?as=urls'
}

declare module '*=490' {
  export { default } from '*?as=url'
}

declare module '*;490' {
  export { default } from '*?as=urls'
}

declare module '*=492' {
  export { default } from '*?as=url'
}

declare module '*;492' {
  export { default } from '*?as=urls'
}

declare module '*=494' {
  export { default } from '*?as=url'
}

declare module '*;494' {
  export { default } from '*?as=urls'
}

declare module '*=495' {
  export { default } from '*?as=url'
}

declare module '*;495' {
  export { default } from '*?as=urls'
}

declare module '*=496' {
  export { default } from '*?as=url'
}

declare module '*;496' {
  export { default } from '*?as=urls'
}

declare module '*=498' {
  export { default } from '*?as=url'
}

declare module '*;498' {
  export { default } from '*?as=urls'
}

declare module '*=500' {
  export { default } from '*?as=url'
}

declare module '*;500' {
  export { default } from '*?as=urls'
}

declare module '*=502' {
  export { default } from '*?as=url'
}

declare module '*;502' {
  export { default } from '*?as=urls'
}

declare module '*=504' {
  export { default } from '*?as=url'
}

declare module '*;504' {
  export { default } from '*?as=urls'
}

declare module '*=505' {
  export { default } from '*?as=url'
}

declare module '*;505' {
  export { default } from '*?as=urls'
}

declare module '*=506' {
  export { default } from '*?as=url'
}

declare module '*;506' {
  export { default } from '*?as=urls'
}

declare module '*=508' {
  export { default } from '*?as=url'
}

declare module '*;508' {
  export { default } from '*?as=urls'
}

declare module '*=510' {
  export { default } from '*?as=url'
}

declare module '*;510' {
  export { default } from '*?as=urls'
}

declare module '*=512' {
  export { default } from '*?as=url'
}

declare module '*;512' {
  export { default } from '*?as=urls'
}

declare module '*=515' {
  export { default } from '*?as=url'
}

declare module '*;515' {
  export { default } from '*?as=urls'
}

declare module '*=520' {
  export { default } from '*?as=url'
}

declare module '*;520' {
  export { default } from '*?as=urls'
}

declare module '*=525' {
  export { default } from '*?as=url'
}

declare module '*;525' {
  export { default } from '*?as=urls'
}

declare module '*=528' {
  export { default } from '*?as=url'
}

declare module '*;528' {
  export { default } from '*?as=urls'
}

declare module '*=530' {
  export { default } from '*?as=url'
}

declare module '*;530' {
  export { default } from '*?as=urls'
}

declare module '*=535' {
  export { default } from '*?as=url'
}

declare module '*;535' {
  export { default } from '*?as=urls'
}

declare module '*=536' {
  export { default } from '*?as=url'
}

declare module '*;536' {
  export { default } from '*?as=urls'
}

declare module '*=540' {
  export { default } from '*?as=url'
}

declare module '*;540' {
  export { default } from '*?as=urls'
}

declare module '*=544' {
  export { default } from '*?as=url'
}

declare module '*;544' {
  export { default } from '*?as=urls'
}

declare module '*=545' {
  export { default } from '*?as=url'
}

declare module '*;545' {
  export { default } from '*?as=urls'
}

declare module '*=550' {
  export { default } from '*?as=url'
}

declare module '*;550' {
  export { default } from '*?as=urls'
}

declare module '*=552' {
  export { default } from '*?as=url'
}

declare module '*;552' {
  export { default } from '*?as=urls'
}

declare module '*=555' {
  export { default } from '*?as=url'
}

declare module '*;555' {
  export { default } from '*?as=urls'
}

declare module '*=560' {
  export { default } from '*?as=url'
}

declare module '*;560' {
  export { default } from '*?as=urls'
}

declare module '*=565' {
  export { default } from '*?as=url'
}

declare module '*;565' {
  export { default } from '*?as=urls'
}

declare module '*=568' {
  export { default } from '*?as=url'
}

declare module '*;568' {
  export { default } from '*?as=urls'
}

declare module '*=570' {
  export { default } from '*?as=url'
}

declare module '*;570' {
  export { default } from '*?as=urls'
}

declare module '*=575' {
  export { default } from '*?as=url'
}

declare module '*;575' {
  export { default } from '*?as=urls'
}

declare module '*=576' {
  export { default } from '*?as=url'
}

declare module '*;576' {
  export { default } from '*?as=urls'
}

declare module '*=580' {
  export { default } from '*?as=url'
}

declare module '*;580' {
  export { default } from '*?as=urls'
}

declare module '*=584' {
  export { default } from '*?as=url'
}

declare module '*;584' {
  export { default } from '*?as=urls'
}

declare module '*=585' {
  export { default } from '*?as=url'
}

declare module '*;585' {
  export { default } from '*?as=urls'
}

declare module '*=590' {
  export { default } from '*?as=url'
}

declare module '*;590' {
  export { default } from '*?as=urls'
}

declare module '*=592' {
  export { default } from '*?as=url'
}

declare module '*;592' {
  export { default } from '*?as=urls'
}

declare module '*=595' {
  export { default } from '*?as=url'
}

declare module '*;595' {
  export { default } from '*?as=urls'
}

declare module '*=600' {
  export { default } from '*?as=url'
}

declare module '*;600' {
  export { default } from '*?as=urls'
}

declare module '*=605' {
  export { default } from '*?as=url'
}

declare module '*;605' {
  export { default } from '*?as=urls'
}

declare module '*=608' {
  export { default } from '*?as=url'
}

declare module '*;608' {
  export { default } from '*?as=urls'
}

declare module '*=610' {
  export { default } from '*?as=url'
}

declare module '*;610' {
  export { default } from '*?as=urls'
}

declare module '*=615' {
  export { default } from '*?as=url'
}

declare module '*;615' {
  export { default } from '*?as=urls'
}

declare module '*=616' {
  export { default } from '*?as=url'
}

declare module '*;616' {
  export { default } from '*?as=urls'
}

declare module '*=620' {
  export { default } from '*?as=url'
}

declare module '*;620' {
  export { default } from '*?as=urls'
}

declare module '*=624' {
  export { default } from '*?as=url'
}

declare module '*;624' {
  export { default } from '*?as=urls'
}

declare module '*=625' {
  export { default } from '*?as=url'
}

declare module '*;625' {
  export { default } from '*?as=urls'
}

declare module '*=630' {
  export { default } from '*?as=url'
}

declare module '*;630' {
  export { default } from '*?as=urls'
}

declare module '*=632' {
  export { default } from '*?as=url'
}

declare module '*;632' {
  export { default } from '*?as=urls'
}

declare module '*=635' {
  export { default } from '*?as=url'
}

declare module '*;635' {
  export { default } from '*?as=urls'
}

declare module '*=640' {
  export { default } from '*?as=url'
}

declare module '*;640' {
  export { default } from '*?as=urls'
}

declare module '*=645' {
  export { default } from '*?as=url'
}

declare module '*;645' {
  export { default } from '*?as=urls'
}

declare module '*=648' {
  export { default } from '*?as=url'
}

declare module '*;648' {
  export { default } from '*?as=urls'
}

declare module '*=650' {
  export { default } from '*?as=url'
}

declare module '*;650' {
  export { default } from '*?as=urls'
}

declare module '*=655' {
  export { default } from '*?as=url'
}

declare module '*;655' {
  export { default } from '*?as=urls'
}

declare module '*=656' {
  export { default } from '*?as=url'
}

declare module '*;656' {
  export { default } from '*?as=urls'
}

declare module '*=660' {
  export { default } from '*?as=url'
}

declare module '*;660' {
  export { default } from '*?as=urls'
}

declare module '*=664' {
  export { default } from '*?as=url'
}

declare module '*;664' {
  export { default } from '*?as=urls'
}

declare module '*=665' {
  export { default } from '*?as=url'
}

declare module '*;665' {
  export { default } from '*?as=urls'
}

declare module '*=670' {
  export { default } from '*?as=url'
}

declare module '*;670' {
  export { default } from '*?as=urls'
}

declare module '*=672' {
  export { default } from '*?as=url'
}

declare module '*;672' {
  export { default } from '*?as=urls'
}

declare module '*=675' {
  export { default } from '*?as=url'
}

declare module '*;675' {
  export { default } from '*?as=urls'
}

declare module '*=680' {
  export { default } from '*?as=url'
}

declare module '*;680' {
  export { default } from '*?as=urls'
}

declare module '*=685' {
  export { default } from '*?as=url'
}

declare module '*;685' {
  export { default } from '*?as=urls'
}

declare module '*=688' {
  export { default } from '*?as=url'
}

declare module '*;688' {
  export { default } from '*?as=urls'
}

declare module '*=690' {
  export { default } from '*?as=url'
}

declare module '*;690' {
  export { default } from '*?as=urls'
}

declare module '*=695' {
  export { default } from '*?as=url'
}

declare module '*;695' {
  export { default } from '*?as=urls'
}

declare module '*=696' {
  export { default } from '*?as=url'
}

declare module '*;696' {
  export { default } from '*?as=urls'
}

declare module '*=700' {
  export { default } from '*?as=url'
}

declare module '*;700' {
  export { default } from '*?as=urls'
}

declare module '*=704' {
  export { default } from '*?as=url'
}

declare module '*;704' {
  export { default } from '*?as=urls'
}

declare module '*=705' {
  export { default } from '*?as=url'
}

declare module '*;705' {
  export { default } from '*?as=urls'
}

declare module '*=710' {
  export { default } from '*?as=url'
}

declare module '*;710' {
  export { default } from '*?as=urls'
}

declare module '*=712' {
  export { default } from '*?as=url'
}

declare module '*;712' {
  export { default } from '*?as=urls'
}

declare module '*=715' {
  export { default } from '*?as=url'
}

declare module '*;715' {
  export { default } from '*?as=urls'
}

declare module '*=720' {
  export { default } from '*?as=url'
}

declare module '*;720' {
  export { default } from '*?as=urls'
}

declare module '*=725' {
  export { default } from '*?as=url'
}

declare module '*;725' {
  export { default } from '*?as=urls'
}

declare module '*=728' {
  export { default } from '*?as=url'
}

declare module '*;728' {
  export { default } from '*?as=urls'
}

declare module '*=730' {
  export { default } from '*?as=url'
}

declare module '*;730' {
  export { default } from '*?as=urls'
}

declare module '*=735' {
  export { default } from '*?as=url'
}

declare module '*;735' {
  export { default } from '*?as=urls'
}

declare module '*=736' {
  export { default } from '*?as=url'
}

declare module '*;736' {
  export { default } from '*?as=urls'
}

declare module '*=740' {
  export { default } from '*?as=url'
}

declare module '*;740' {
  export { default } from '*?as=urls'
}

declare module '*=744' {
  export { default } from '*?as=url'
}

declare module '*;744' {
  export { default } from '*?as=urls'
}

declare module '*=745' {
  export { default } from '*?as=url'
}

declare module '*;745' {
  export { default } from '*?as=urls'
}

declare module '*=750' {
  export { default } from '*?as=url'
}

declare module '*;750' {
  export { default } from '*?as=urls'
}

declare module '*=752' {
  export { default } from '*?as=url'
}

declare module '*;752' {
  export { default } from '*?as=urls'
}

declare module '*=755' {
  export { default } from '*?as=url'
}

declare module '*;755' {
  export { default } from '*?as=urls'
}

declare module '*=760' {
  export { default } from '*?as=url'
}

declare module '*;760' {
  export { default } from '*?as=urls'
}

declare module '*=765' {
  export { default } from '*?as=url'
}

declare module '*;765' {
  export { default } from '*?as=urls'
}

declare module '*=768' {
  export { default } from '*?as=url'
}

declare module '*;768' {
  export { default } from '*?as=urls'
}

declare module '*=770' {
  export { default } from '*?as=url'
}

declare module '*;770' {
  export { default } from '*?as=urls'
}

declare module '*=775' {
  export { default } from '*?as=url'
}

declare module '*;775' {
  export { default } from '*?as=urls'
}

declare module '*=776' {
  export { default } from '*?as=url'
}

declare module '*;776' {
  export { default } from '*?as=urls'
}

declare module '*=780' {
  export { default } from '*?as=url'
}

declare module '*;780' {
  export { default } from '*?as=urls'
}

declare module '*=784' {
  export { default } from '*?as=url'
}

declare module '*;784' {
  export { default } from '*?as=urls'
}

declare module '*=785' {
  export { default } from '*?as=url'
}

declare module '*;785' {
  export { default } from '*?as=urls'
}

declare module '*=790' {
  export { default } from '*?as=url'
}

declare module '*;790' {
  export { default } from '*?as=urls'
}

declare module '*=792' {
  export { default } from '*?as=url'
}

declare module '*;792' {
  export { default } from '*?as=urls'
}

declare module '*=795' {
  export { default } from '*?as=url'
}

declare module '*;795' {
  export { default } from '*?as=urls'
}

declare module '*=800' {
  export { default } from '*?as=url'
}

declare module '*;800' {
  export { default } from '*?as=urls'
}

declare module '*=805' {
  export { default } from '*?as=url'
}

declare module '*;805' {
  export { default } from '*?as=urls'
}

declare module '*=808' {
  export { default } from '*?as=url'
}

declare module '*;808' {
  export { default } from '*?as=urls'
}

declare module '*=810' {
  export { default } from '*?as=url'
}

declare module '*;810' {
  export { default } from '*?as=urls'
}

declare module '*=815' {
  export { default } from '*?as=url'
}

declare module '*;815' {
  export { default } from '*?as=urls'
}

declare module '*=816' {
  export { default } from '*?as=url'
}

declare module '*;816' {
  export { default } from '*?as=urls'
}

declare module '*=820' {
  export { default } from '*?as=url'
}

declare module '*;820' {
  export { default } from '*?as=urls'
}

declare module '*=824' {
  export { default } from '*?as=url'
}

declare module '*;824' {
  export { default } from '*?as=urls'
}

declare module '*=825' {
  export { default } from '*?as=url'
}

declare module '*;825' {
  export { default } from '*?as=urls'
}

declare module '*=830' {
  export { default } from '*?as=url'
}

declare module '*;830' {
  export { default } from '*?as=urls'
}

declare module '*=832' {
  export { default } from '*?as=url'
}

declare module '*;832' {
  export { default } from '*?as=urls'
}

declare module '*=835' {
  export { default } from '*?as=url'
}

declare module '*;835' {
  export { default } from '*?as=urls'
}

declare module '*=840' {
  export { default } from '*?as=url'
}

declare module '*;840' {
  export { default } from '*?as=urls'
}

declare module '*=845' {
  export { default } from '*?as=url'
}

declare module '*;845' {
  export { default } from '*?as=urls'
}

declare module '*=848' {
  export { default } from '*?as=url'
}

declare module '*;848' {
  export { default } from '*?as=urls'
}

declare module '*=850' {
  export { default } from '*?as=url'
}

declare module '*;850' {
  export { default } from '*?as=urls'
}

declare module '*=855' {
  export { default } from '*?as=url'
}

declare module '*;855' {
  export { default } from '*?as=urls'
}

declare module '*=856' {
  export { default } from '*?as=url'
}

declare module '*;856' {
  export { default } from '*?as=urls'
}

declare module '*=860' {
  export { default } from '*?as=url'
}

declare module '*;860' {
  export { default } from '*?as=urls'
}

declare module '*=864' {
  export { default } from '*?as=url'
}

declare module '*;864' {
  export { default } from '*?as=urls'
}

declare module '*=865' {
  export { default } from '*?as=url'
}

declare module '*;865' {
  export { default } from '*?as=urls'
}

declare module '*=870' {
  export { default } from '*?as=url'
}

declare module '*;870' {
  export { default } from '*?as=urls'
}

declare module '*=872' {
  export { default } from '*?as=url'
}

declare module '*;872' {
  export { default } from '*?as=urls'
}

declare module '*=875' {
  export { default } from '*?as=url'
}

declare module '*;875' {
  export { default } from '*?as=urls'
}

declare module '*=880' {
  export { default } from '*?as=url'
}

declare module '*;880' {
  export { default } from '*?as=urls'
}

declare module '*=885' {
  export { default } from '*?as=url'
}

declare module '*;885' {
  export { default } from '*?as=urls'
}

declare module '*=888' {
  export { default } from '*?as=url'
}

declare module '*;888' {
  export { default } from '*?as=urls'
}

declare module '*=890' {
  export { default } from '*?as=url'
}

declare module '*;890' {
  export { default } from '*?as=urls'
}

declare module '*=895' {
  export { default } from '*?as=url'
}

declare module '*;895' {
  export { default } from '*?as=urls'
}

declare module '*=896' {
  export { default } from '*?as=url'
}

declare module '*;896' {
  export { default } from '*?as=urls'
}

declare module '*=900' {
  export { default } from '*?as=url'
}

declare module '*;900' {
  export { default } from '*?as=urls'
}

declare module '*=904' {
  export { default } from '*?as=url'
}

declare module '*;904' {
  export { default } from '*?as=urls'
}

declare module '*=905' {
  export { default } from '*?as=url'
}

declare module '*;905' {
  export { default } from '*?as=urls'
}

declare module '*=910' {
  export { default } from '*?as=url'
}

declare module '*;910' {
  export { default } from '*?as=urls'
}

declare module '*=912' {
  export { default } from '*?as=url'
}

declare module '*;912' {
  export { default } from '*?as=urls'
}

declare module '*=915' {
  export { default } from '*?as=url'
}

declare module '*;915' {
  export { default } from '*?as=urls'
}

declare module '*=920' {
  export { default } from '*?as=url'
}

declare module '*;920' {
  export { default } from '*?as=urls'
}

declare module '*=925' {
  export { default } from '*?as=url'
}

declare module '*;925' {
  export { default } from '*?as=urls'
}

declare module '*=928' {
  export { default } from '*?as=url'
}

declare module '*;928' {
  export { default } from '*?as=urls'
}

declare module '*=930' {
  export { default } from '*?as=url'
}

declare module '*;930' {
  export { default } from '*?as=urls'
}

declare module '*=935' {
  export { default } from '*?as=url'
}

declare module '*;935' {
  export { default } from '*?as=urls'
}

declare module '*=936' {
  export { default } from '*?as=url'
}

declare module '*;936' {
  export { default } from '*?as=urls'
}

declare module '*=940' {
  export { default } from '*?as=url'
}

declare module '*;940' {
  export { default } from '*?as=urls'
}

declare module '*=944' {
  export { default } from '*?as=url'
}

declare module '*;944' {
  export { default } from '*?as=urls'
}

declare module '*=945' {
  export { default } from '*?as=url'
}

declare module '*;945' {
  export { default } from '*?as=urls'
}

declare module '*=950' {
  export { default } from '*?as=url'
}

declare module '*;950' {
  export { default } from '*?as=urls'
}

declare module '*=952' {
  export { default } from '*?as=url'
}

declare module '*;952' {
  export { default } from '*?as=urls'
}

declare module '*=955' {
  export { default } from '*?as=url'
}

declare module '*;955' {
  export { default } from '*?as=urls'
}

declare module '*=960' {
  export { default } from '*?as=url'
}

declare module '*;960' {
  export { default } from '*?as=urls'
}

declare module '*=965' {
  export { default } from '*?as=url'
}

declare module '*;965' {
  export { default } from '*?as=urls'
}

declare module '*=968' {
  export { default } from '*?as=url'
}

declare module '*;968' {
  export { default } from '*?as=urls'
}

declare module '*=970' {
  export { default } from '*?as=url'
}

declare module '*;970' {
  export { default } from '*?as=urls'
}

declare module '*=975' {
  export { default } from '*?as=url'
}

declare module '*;975' {
  export { default } from '*?as=urls'
}

declare module '*=976' {
  export { default } from '*?as=url'
}

declare module '*;976' {
  export { default } from '*?as=urls'
}

declare module '*=980' {
  export { default } from '*?as=url'
}

declare module '*;980' {
  export { default } from '*?as=urls'
}

declare module '*=984' {
  export { default } from '*?as=url'
}

declare module '*;984' {
  export { default } from '*?as=urls'
}

declare module '*=985' {
  export { default } from '*?as=url'
}

declare module '*;985' {
  export { default } from '*?as=urls'
}

declare module '*=990' {
  export { default } from '*?as=url'
}

declare module '*;990' {
  export { default } from '*?as=urls'
}

declare module '*=992' {
  export { default } from '*?as=url'
}

declare module '*;992' {
  export { default } from '*?as=urls'
}

declare module '*=995' {
  export { default } from '*?as=url'
}

declare module '*;995' {
  export { default } from '*?as=urls'
}

declare module '*=1000' {
  export { default } from '*?as=url'
}

declare module '*;1000' {
  export { default } from '*?as=urls'
}

declare module '*=1008' {
  export { default } from '*?as=url'
}

declare module '*;1008' {
  export { default } from '*?as=urls'
}

declare module '*=1010' {
  export { default } from '*?as=url'
}

declare module '*;1010' {
  export { default } from '*?as=urls'
}

declare module '*=1016' {
  export { default } from '*?as=url'
}

declare module '*;1016' {
  export { default } from '*?as=urls'
}

declare module '*=1020' {
  export { default } from '*?as=url'
}

declare module '*;1020' {
  export { default } from '*?as=urls'
}

declare module '*=1024' {
  export { default } from '*?as=url'
}

declare module '*;1024' {
  export { default } from '*?as=urls'
}

declare module '*=1030' {
  export { default } from '*?as=url'
}

declare module '*;1030' {
  export { default } from '*?as=urls'
}

declare module '*=1032' {
  export { default } from '*?as=url'
}

declare module '*;1032' {
  export { default } from '*?as=urls'
}

declare module '*=1040' {
  export { default } from '*?as=url'
}

declare module '*;1040' {
  export { default } from '*?as=urls'
}

declare module '*=1048' {
  export { default } from '*?as=url'
}

declare module '*;1048' {
  export { default } from '*?as=urls'
}

declare module '*=1050' {
  export { default } from '*?as=url'
}

declare module '*;1050' {
  export { default } from '*?as=urls'
}

declare module '*=1056' {
  export { default } from '*?as=url'
}

declare module '*;1056' {
  export { default } from '*?as=urls'
}

declare module '*=1060' {
  export { default } from '*?as=url'
}

declare module '*;1060' {
  export { default } from '*?as=urls'
}

declare module '*=1064' {
  export { default } from '*?as=url'
}

declare module '*;1064' {
  export { default } from '*?as=urls'
}

declare module '*=1070' {
  export { default } from '*?as=url'
}

declare module '*;1070' {
  export { default } from '*?as=urls'
}

declare module '*=1072' {
  export { default } from '*?as=url'
}

declare module '*;1072' {
  export { default } from '*?as=urls'
}

declare module '*=1080' {
  export { default } from '*?as=url'
}

declare module '*;1080' {
  export { default } from '*?as=urls'
}

declare module '*=1088' {
  export { default } from '*?as=url'
}

declare module '*;1088' {
  export { default } from '*?as=urls'
}

declare module '*=1090' {
  export { default } from '*?as=url'
}

declare module '*;1090' {
  export { default } from '*?as=urls'
}

declare module '*=1096' {
  export { default } from '*?as=url'
}

declare module '*;1096' {
  export { default } from '*?as=urls'
}

declare module '*=1100' {
  export { default } from '*?as=url'
}

declare module '*;1100' {
  export { default } from '*?as=urls'
}

declare module '*=1104' {
  export { default } from '*?as=url'
}

declare module '*;1104' {
  export { default } from '*?as=urls'
}

declare module '*=1110' {
  export { default } from '*?as=url'
}

declare module '*;1110' {
  export { default } from '*?as=urls'
}

declare module '*=1112' {
  export { default } from '*?as=url'
}

declare module '*;1112' {
  export { default } from '*?as=urls'
}

declare module '*=1120' {
  export { default } from '*?as=url'
}

declare module '*;1120' {
  export { default } from '*?as=urls'
}

declare module '*=1128' {
  export { default } from '*?as=url'
}

declare module '*;1128' {
  export { default } from '*?as=urls'
}

declare module '*=1130' {
  export { default } from '*?as=url'
}

declare module '*;1130' {
  export { default } from '*?as=urls'
}

declare module '*=1136' {
  export { default } from '*?as=url'
}

declare module '*;1136' {
  export { default } from '*?as=urls'
}

declare module '*=1140' {
  export { default } from '*?as=url'
}

declare module '*;1140' {
  export { default } from '*?as=urls'
}

declare module '*=1144' {
  export { default } from '*?as=url'
}

declare module '*;1144' {
  export { default } from '*?as=urls'
}

declare module '*=1150' {
  export { default } from '*?as=url'
}

declare module '*;1150' {
  export { default } from '*?as=urls'
}

declare module '*=1152' {
  export { default } from '*?as=url'
}

declare module '*;1152' {
  export { default } from '*?as=urls'
}

declare module '*=1160' {
  export { default } from '*?as=url'
}

declare module '*;1160' {
  export { default } from '*?as=urls'
}

declare module '*=1168' {
  export { default } from '*?as=url'
}

declare module '*;1168' {
  export { default } from '*?as=urls'
}

declare module '*=1170' {
  export { default } from '*?as=url'
}

declare module '*;1170' {
  export { default } from '*?as=urls'
}

declare module '*=1176' {
  export { default } from '*?as=url'
}

declare module '*;1176' {
  export { default } from '*?as=urls'
}

declare module '*=1180' {
  export { default } from '*?as=url'
}

declare module '*;1180' {
  export { default } from '*?as=urls'
}

declare module '*=1184' {
  export { default } from '*?as=url'
}

declare module '*;1184' {
  export { default } from '*?as=urls'
}

declare module '*=1190' {
  export { default } from '*?as=url'
}

declare module '*;1190' {
  export { default } from '*?as=urls'
}

declare module '*=1192' {
  export { default } from '*?as=url'
}

declare module '*;1192' {
  export { default } from '*?as=urls'
}

declare module '*=1200' {
  export { default } from '*?as=url'
}

declare module '*;1200' {
  export { default } from '*?as=urls'
}

declare module '*=1208' {
  export { default } from '*?as=url'
}

declare module '*;1208' {
  export { default } from '*?as=urls'
}

declare module '*=1210' {
  export { default } from '*?as=url'
}

declare module '*;1210' {
  export { default } from '*?as=urls'
}

declare module '*=1216' {
  export { default } from '*?as=url'
}

declare module '*;1216' {
  export { default } from '*?as=urls'
}

declare module '*=1220' {
  export { default } from '*?as=url'
}

declare module '*;1220' {
  export { default } from '*?as=urls'
}

declare module '*=1224' {
  export { default } from '*?as=url'
}

declare module '*;1224' {
  export { default } from '*?as=urls'
}

declare module '*=1230' {
  export { default } from '*?as=url'
}

declare module '*;1230' {
  export { default } from '*?as=urls'
}

declare module '*=1232' {
  export { default } from '*?as=url'
}

declare module '*;1232' {
  export { default } from '*?as=urls'
}

declare module '*=1240' {
  export { default } from '*?as=url'
}

declare module '*;1240' {
  export { default } from '*?as=urls'
}

declare module '*=1248' {
  export { default } from '*?as=url'
}

declare module '*;1248' {
  export { default } from '*?as=urls'
}

declare module '*=1250' {
  export { default } from '*?as=url'
}

declare module '*;1250' {
  export { default } from '*?as=urls'
}

declare module '*=1256' {
  export { default } from '*?as=url'
}

declare module '*;1256' {
  export { default } from '*?as=urls'
}

declare module '*=1260' {
  export { default } from '*?as=url'
}

declare module '*;1260' {
  export { default } from '*?as=urls'
}

declare module '*=1264' {
  export { default } from '*?as=url'
}

declare module '*;1264' {
  export { default } from '*?as=urls'
}

declare module '*=1270' {
  export { default } from '*?as=url'
}

declare module '*;1270' {
  export { default } from '*?as=urls'
}

declare module '*=1272' {
  export { default } from '*?as=url'
}

declare module '*;1272' {
  export { default } from '*?as=urls'
}

declare module '*=1280' {
  export { default } from '*?as=url'
}

declare module '*;1280' {
  export { default } from '*?as=urls'
}

declare module '*=1288' {
  export { default } from '*?as=url'
}

declare module '*;1288' {
  export { default } from '*?as=urls'
}

declare module '*=1290' {
  export { default } from '*?as=url'
}

declare module '*;1290' {
  export { default } from '*?as=urls'
}

declare module '*=1296' {
  export { default } from '*?as=url'
}

declare module '*;1296' {
  export { default } from '*?as=urls'
}

declare module '*=1300' {
  export { default } from '*?as=url'
}

declare module '*;1300' {
  export { default } from '*?as=urls'
}

declare module '*=1304' {
  export { default } from '*?as=url'
}

declare module '*;1304' {
  export { default } from '*?as=urls'
}

declare module '*=1310' {
  export { default } from '*?as=url'
}

declare module '*;1310' {
  export { default } from '*?as=urls'
}

declare module '*=1312' {
  export { default } from '*?as=url'
}

declare module '*;1312' {
  export { default } from '*?as=urls'
}

declare module '*=1320' {
  export { default } from '*?as=url'
}

declare module '*;1320' {
  export { default } from '*?as=urls'
}

declare module '*=1328' {
  export { default } from '*?as=url'
}

declare module '*;1328' {
  export { default } from '*?as=urls'
}

declare module '*=1330' {
  export { default } from '*?as=url'
}

declare module '*;1330' {
  export { default } from '*?as=urls'
}

declare module '*=1336' {
  export { default } from '*?as=url'
}

declare module '*;1336' {
  export { default } from '*?as=urls'
}

declare module '*=1340' {
  export { default } from '*?as=url'
}

declare module '*;1340' {
  export { default } from '*?as=urls'
}

declare module '*=1344' {
  export { default } from '*?as=url'
}

declare module '*;1344' {
  export { default } from '*?as=urls'
}

declare module '*=1350' {
  export { default } from '*?as=url'
}

declare module '*;1350' {
  export { default } from '*?as=urls'
}

declare module '*=1352' {
  export { default } from '*?as=url'
}

declare module '*;1352' {
  export { default } from '*?as=urls'
}

declare module '*=1360' {
  export { default } from '*?as=url'
}

declare module '*;1360' {
  export { default } from '*?as=urls'
}

declare module '*=1366' {
  export { default } from '*?as=url'
}

declare module '*;1366' {
  export { default } from '*?as=urls'
}

declare module '*=1368' {
  export { default } from '*?as=url'
}

declare module '*;1368' {
  export { default } from '*?as=urls'
}

declare module '*=1370' {
  export { default } from '*?as=url'
}

declare module '*;1370' {
  export { default } from '*?as=urls'
}

declare module '*=1376' {
  export { default } from '*?as=url'
}

declare module '*;1376' {
  export { default } from '*?as=urls'
}

declare module '*=1380' {
  export { default } from '*?as=url'
}

declare module '*;1380' {
  export { default } from '*?as=urls'
}

declare module '*=1384' {
  export { default } from '*?as=url'
}

declare module '*;1384' {
  export { default } from '*?as=urls'
}

declare module '*=1390' {
  export { default } from '*?as=url'
}

declare module '*;1390' {
  export { default } from '*?as=urls'
}

declare module '*=1392' {
  export { default } from '*?as=url'
}

declare module '*;1392' {
  export { default } from '*?as=urls'
}

declare module '*=1400' {
  export { default } from '*?as=url'
}

declare module '*;1400' {
  export { default } from '*?as=urls'
}

declare module '*=1408' {
  export { default } from '*?as=url'
}

declare module '*;1408' {
  export { default } from '*?as=urls'
}

declare module '*=1410' {
  export { default } from '*?as=url'
}

declare module '*;1410' {
  export { default } from '*?as=urls'
}

declare module '*=1416' {
  export { default } from '*?as=url'
}

declare module '*;1416' {
  export { default } from '*?as=urls'
}

declare module '*=1420' {
  export { default } from '*?as=url'
}

declare module '*;1420' {
  export { default } from '*?as=urls'
}

declare module '*=1424' {
  export { default } from '*?as=url'
}

declare module '*;1424' {
  export { default } from '*?as=urls'
}

declare module '*=1430' {
  export { default } from '*?as=url'
}

declare module '*;1430' {
  export { default } from '*?as=urls'
}

declare module '*=1432' {
  export { default } from '*?as=url'
}

declare module '*;1432' {
  export { default } from '*?as=urls'
}

declare module '*=1440' {
  export { default } from '*?as=url'
}

declare module '*;1440' {
  export { default } from '*?as=urls'
}

declare module '*=1448' {
  export { default } from '*?as=url'
}

declare module '*;1448' {
  export { default } from '*?as=urls'
}

declare module '*=1450' {
  export { default } from '*?as=url'
}

declare module '*;1450' {
  export { default } from '*?as=urls'
}

declare module '*=1456' {
  export { default } from '*?as=url'
}

declare module '*;1456' {
  export { default } from '*?as=urls'
}

declare module '*=1460' {
  export { default } from '*?as=url'
}

declare module '*;1460' {
  export { default } from '*?as=urls'
}

declare module '*=1464' {
  export { default } from '*?as=url'
}

declare module '*;1464' {
  export { default } from '*?as=urls'
}

declare module '*=1470' {
  export { default } from '*?as=url'
}

declare module '*;1470' {
  export { default } from '*?as=urls'
}

declare module '*=1472' {
  export { default } from '*?as=url'
}

declare module '*;1472' {
  export { default } from '*?as=urls'
}

declare module '*=1480' {
  export { default } from '*?as=url'
}

declare module '*;1480' {
  export { default } from '*?as=urls'
}

declare module '*=1488' {
  export { default } from '*?as=url'
}

declare module '*;1488' {
  export { default } from '*?as=urls'
}

declare module '*=1490' {
  export { default } from '*?as=url'
}

declare module '*;1490' {
  export { default } from '*?as=urls'
}

declare module '*=1496' {
  export { default } from '*?as=url'
}

declare module '*;1496' {
  export { default } from '*?as=urls'
}

declare module '*=1500' {
  export { default } from '*?as=url'
}

declare module '*;1500' {
  export { default } from '*?as=urls'
}

declare module '*=1504' {
  export { default } from '*?as=url'
}

declare module '*;1504' {
  export { default } from '*?as=urls'
}

declare module '*=1510' {
  export { default } from '*?as=url'
}

declare module '*;1510' {
  export { default } from '*?as=urls'
}

declare module '*=1512' {
  export { default } from '*?as=url'
}

declare module '*;1512' {
  export { default } from '*?as=urls'
}

declare module '*=1520' {
  export { default } from '*?as=url'
}

declare module '*;1520' {
  export { default } from '*?as=urls'
}

declare module '*=1528' {
  export { default } from '*?as=url'
}

declare module '*;1528' {
  export { default } from '*?as=urls'
}

declare module '*=1530' {
  export { default } from '*?as=url'
}

declare module '*;1530' {
  export { default } from '*?as=urls'
}

declare module '*=1536' {
  export { default } from '*?as=url'
}

declare module '*;1536' {
  export { default } from '*?as=urls'
}

declare module '*=1540' {
  export { default } from '*?as=url'
}

declare module '*;1540' {
  export { default } from '*?as=urls'
}

declare module '*=1544' {
  export { default } from '*?as=url'
}

declare module '*;1544' {
  export { default } from '*?as=urls'
}

declare module '*=1550' {
  export { default } from '*?as=url'
}

declare module '*;1550' {
  export { default } from '*?as=urls'
}

declare module '*=1552' {
  export { default } from '*?as=url'
}

declare module '*;1552' {
  export { default } from '*?as=urls'
}

declare module '*=1560' {
  export { default } from '*?as=url'
}

declare module '*;1560' {
  export { default } from '*?as=urls'
}

declare module '*=1568' {
  export { default } from '*?as=url'
}

declare module '*;1568' {
  export { default } from '*?as=urls'
}

declare module '*=1570' {
  export { default } from '*?as=url'
}

declare module '*;1570' {
  export { default } from '*?as=urls'
}

declare module '*=1576' {
  export { default } from '*?as=url'
}

declare module '*;1576' {
  export { default } from '*?as=urls'
}

declare module '*=1580' {
  export { default } from '*?as=url'
}

declare module '*;1580' {
  export { default } from '*?as=urls'
}

declare module '*=1584' {
  export { default } from '*?as=url'
}

declare module '*;1584' {
  export { default } from '*?as=urls'
}

declare module '*=1590' {
  export { default } from '*?as=url'
}

declare module '*;1590' {
  export { default } from '*?as=urls'
}

declare module '*=1592' {
  export { default } from '*?as=url'
}

declare module '*;1592' {
  export { default } from '*?as=urls'
}

declare module '*=1600' {
  export { default } from '*?as=url'
}

declare module '*;1600' {
  export { default } from '*?as=urls'
}

declare module '*=1608' {
  export { default } from '*?as=url'
}

declare module '*;1608' {
  export { default } from '*?as=urls'
}

declare module '*=1610' {
  export { default } from '*?as=url'
}

declare module '*;1610' {
  export { default } from '*?as=urls'
}

declare module '*=1616' {
  export { default } from '*?as=url'
}

declare module '*;1616' {
  export { default } from '*?as=urls'
}

declare module '*=1620' {
  export { default } from '*?as=url'
}

declare module '*;1620' {
  export { default } from '*?as=urls'
}

declare module '*=1624' {
  export { default } from '*?as=url'
}

declare module '*;1624' {
  export { default } from '*?as=urls'
}

declare module '*=1630' {
  export { default } from '*?as=url'
}

declare module '*;1630' {
  export { default } from '*?as=urls'
}

declare module '*=1632' {
  export { default } from '*?as=url'
}

declare module '*;1632' {
  export { default } from '*?as=urls'
}

declare module '*=1640' {
  export { default } from '*?as=url'
}

declare module '*;1640' {
  export { default } from '*?as=urls'
}

declare module '*=1648' {
  export { default } from '*?as=url'
}

declare module '*;1648' {
  export { default } from '*?as=urls'
}

declare module '*=1650' {
  export { default } from '*?as=url'
}

declare module '*;1650' {
  export { default } from '*?as=urls'
}

declare module '*=1656' {
  export { default } from '*?as=url'
}

declare module '*;1656' {
  export { default } from '*?as=urls'
}

declare module '*=1660' {
  export { default } from '*?as=url'
}

declare module '*;1660' {
  export { default } from '*?as=urls'
}

declare module '*=1664' {
  export { default } from '*?as=url'
}

declare module '*;1664' {
  export { default } from '*?as=urls'
}

declare module '*=1670' {
  export { default } from '*?as=url'
}

declare module '*;1670' {
  export { default } from '*?as=urls'
}

declare module '*=1672' {
  export { default } from '*?as=url'
}

declare module '*;1672' {
  export { default } from '*?as=urls'
}

declare module '*=1680' {
  export { default } from '*?as=url'
}

declare module '*;1680' {
  export { default } from '*?as=urls'
}

declare module '*=1688' {
  export { default } from '*?as=url'
}

declare module '*;1688' {
  export { default } from '*?as=urls'
}

declare module '*=1690' {
  export { default } from '*?as=url'
}

declare module '*;1690' {
  export { default } from '*?as=urls'
}

declare module '*=1696' {
  export { default } from '*?as=url'
}

declare module '*;1696' {
  export { default } from '*?as=urls'
}

declare module '*=1700' {
  export { default } from '*?as=url'
}

declare module '*;1700' {
  export { default } from '*?as=urls'
}

declare module '*=1704' {
  export { default } from '*?as=url'
}

declare module '*;1704' {
  export { default } from '*?as=urls'
}

declare module '*=1710' {
  export { default } from '*?as=url'
}

declare module '*;1710' {
  export { default } from '*?as=urls'
}

declare module '*=1712' {
  export { default } from '*?as=url'
}

declare module '*;1712' {
  export { default } from '*?as=urls'
}

declare module '*=1720' {
  export { default } from '*?as=url'
}

declare module '*;1720' {
  export { default } from '*?as=urls'
}

declare module '*=1728' {
  export { default } from '*?as=url'
}

declare module '*;1728' {
  export { default } from '*?as=urls'
}

declare module '*=1730' {
  export { default } from '*?as=url'
}

declare module '*;1730' {
  export { default } from '*?as=urls'
}

declare module '*=1736' {
  export { default } from '*?as=url'
}

declare module '*;1736' {
  export { default } from '*?as=urls'
}

declare module '*=1740' {
  export { default } from '*?as=url'
}

declare module '*;1740' {
  export { default } from '*?as=urls'
}

declare module '*=1744' {
  export { default } from '*?as=url'
}

declare module '*;1744' {
  export { default } from '*?as=urls'
}

declare module '*=1750' {
  export { default } from '*?as=url'
}

declare module '*;1750' {
  export { default } from '*?as=urls'
}

declare module '*=1752' {
  export { default } from '*?as=url'
}

declare module '*;1752' {
  export { default } from '*?as=urls'
}

declare module '*=1760' {
  export { default } from '*?as=url'
}

declare module '*;1760' {
  export { default } from '*?as=urls'
}

declare module '*=1768' {
  export { default } from '*?as=url'
}

declare module '*;1768' {
  export { default } from '*?as=urls'
}

declare module '*=1770' {
  export { default } from '*?as=url'
}

declare module '*;1770' {
  export { default } from '*?as=urls'
}

declare module '*=1776' {
  export { default } from '*?as=url'
}

declare module '*;1776' {
  export { default } from '*?as=urls'
}

declare module '*=1780' {
  export { default } from '*?as=url'
}

declare module '*;1780' {
  export { default } from '*?as=urls'
}

declare module '*=1784' {
  export { default } from '*?as=url'
}

declare module '*;1784' {
  export { default } from '*?as=urls'
}

declare module '*=1790' {
  export { default } from '*?as=url'
}

declare module '*;1790' {
  export { default } from '*?as=urls'
}

declare module '*=1792' {
  export { default } from '*?as=url'
}

declare module '*;1792' {
  export { default } from '*?as=urls'
}

declare module '*=1800' {
  export { default } from '*?as=url'
}

declare module '*;1800' {
  export { default } from '*?as=urls'
}

declare module '*=1808' {
  export { default } from '*?as=url'
}

declare module '*;1808' {
  export { default } from '*?as=urls'
}

declare module '*=1810' {
  export { default } from '*?as=url'
}

declare module '*;1810' {
  export { default } from '*?as=urls'
}

declare module '*=1816' {
  export { default } from '*?as=url'
}

declare module '*;1816' {
  export { default } from '*?as=urls'
}

declare module '*=1820' {
  export { default } from '*?as=url'
}

declare module '*;1820' {
  export { default } from '*?as=urls'
}

declare module '*=1824' {
  export { default } from '*?as=url'
}

declare module '*;1824' {
  export { default } from '*?as=urls'
}

declare module '*=1830' {
  export { default } from '*?as=url'
}

declare module '*;1830' {
  export { default } from '*?as=urls'
}

declare module '*=1832' {
  export { default } from '*?as=url'
}

declare module '*;1832' {
  export { default } from '*?as=urls'
}

declare module '*=1840' {
  export { default } from '*?as=url'
}

declare module '*;1840' {
  export { default } from '*?as=urls'
}

declare module '*=1848' {
  export { default } from '*?as=url'
}

declare module '*;1848' {
  export { default } from '*?as=urls'
}

declare module '*=1850' {
  export { default } from '*?as=url'
}

declare module '*;1850' {
  export { default } from '*?as=urls'
}

declare module '*=1856' {
  export { default } from '*?as=url'
}

declare module '*;1856' {
  export { default } from '*?as=urls'
}

declare module '*=1860' {
  export { default } from '*?as=url'
}

declare module '*;1860' {
  export { default } from '*?as=urls'
}

declare module '*=1864' {
  export { default } from '*?as=url'
}

declare module '*;1864' {
  export { default } from '*?as=urls'
}

declare module '*=1870' {
  export { default } from '*?as=url'
}

declare module '*;1870' {
  export { default } from '*?as=urls'
}

declare module '*=1872' {
  export { default } from '*?as=url'
}

declare module '*;1872' {
  export { default } from '*?as=urls'
}

declare module '*=1880' {
  export { default } from '*?as=url'
}

declare module '*;1880' {
  export { default } from '*?as=urls'
}

declare module '*=1888' {
  export { default } from '*?as=url'
}

declare module '*;1888' {
  export { default } from '*?as=urls'
}

declare module '*=1890' {
  export { default } from '*?as=url'
}

declare module '*;1890' {
  export { default } from '*?as=urls'
}

declare module '*=1896' {
  export { default } from '*?as=url'
}

declare module '*;1896' {
  export { default } from '*?as=urls'
}

declare module '*=1900' {
  export { default } from '*?as=url'
}

declare module '*;1900' {
  export { default } from '*?as=urls'
}

declare module '*=1904' {
  export { default } from '*?as=url'
}

declare module '*;1904' {
  export { default } from '*?as=urls'
}

declare module '*=1910' {
  export { default } from '*?as=url'
}

declare module '*;1910' {
  export { default } from '*?as=urls'
}

declare module '*=1912' {
  export { default } from '*?as=url'
}

declare module '*;1912' {
  export { default } from '*?as=urls'
}

declare module '*=1920' {
  export { default } from '*?as=url'
}

declare module '*;1920' {
  export { default } from '*?as=urls'
}

declare module '*=1928' {
  export { default } from '*?as=url'
}

declare module '*;1928' {
  export { default } from '*?as=urls'
}

declare module '*=1930' {
  export { default } from '*?as=url'
}

declare module '*;1930' {
  export { default } from '*?as=urls'
}

declare module '*=1936' {
  export { default } from '*?as=url'
}

declare module '*;1936' {
  export { default } from '*?as=urls'
}

declare module '*=1940' {
  export { default } from '*?as=url'
}

declare module '*;1940' {
  export { default } from '*?as=urls'
}

declare module '*=1944' {
  export { default } from '*?as=url'
}

declare module '*;1944' {
  export { default } from '*?as=urls'
}

declare module '*=1950' {
  export { default } from '*?as=url'
}

declare module '*;1950' {
  export { default } from '*?as=urls'
}

declare module '*=1952' {
  export { default } from '*?as=url'
}

declare module '*;1952' {
  export { default } from '*?as=urls'
}

declare module '*=1960' {
  export { default } from '*?as=url'
}

declare module '*;1960' {
  export { default } from '*?as=urls'
}

declare module '*=1968' {
  export { default } from '*?as=url'
}

declare module '*;1968' {
  export { default } from '*?as=urls'
}

declare module '*=1970' {
  export { default } from '*?as=url'
}

declare module '*;1970' {
  export { default } from '*?as=urls'
}

declare module '*=1976' {
  export { default } from '*?as=url'
}

declare module '*;1976' {
  export { default } from '*?as=urls'
}

declare module '*=1980' {
  export { default } from '*?as=url'
}

declare module '*;1980' {
  export { default } from '*?as=urls'
}

declare module '*=1984' {
  export { default } from '*?as=url'
}

declare module '*;1984' {
  export { default } from '*?as=urls'
}

declare module '*=1990' {
  export { default } from '*?as=url'
}

declare module '*;1990' {
  export { default } from '*?as=urls'
}

declare module '*=1992' {
  export { default } from '*?as=url'
}

declare module '*;1992' {
  export { default } from '*?as=urls'
}

declare module '*=2000' {
  export { default } from '*?as=url'
}

declare module '*;2000' {
  export { default } from '*?as=urls'
}

declare module '*=2008' {
  export { default } from '*?as=url'
}

declare module '*;2008' {
  export { default } from '*?as=urls'
}

declare module '*=2010' {
  export { default } from '*?as=url'
}

declare module '*;2010' {
  export { default } from '*?as=urls'
}

declare module '*=2016' {
  export { default } from '*?as=url'
}

declare module '*;2016' {
  export { default } from '*?as=urls'
}

declare module '*=2020' {
  export { default } from '*?as=url'
}

declare module '*;2020' {
  export { default } from '*?as=urls'
}

declare module '*=2024' {
  export { default } from '*?as=url'
}

declare module '*;2024' {
  export { default } from '*?as=urls'
}

declare module '*=2030' {
  export { default } from '*?as=url'
}

declare module '*;2030' {
  export { default } from '*?as=urls'
}

declare module '*=2032' {
  export { default } from '*?as=url'
}

declare module '*;2032' {
  export { default } from '*?as=urls'
}

declare module '*=2040' {
  export { default } from '*?as=url'
}

declare module '*;2040' {
  export { default } from '*?as=urls'
}

declare module '*=2048' {
  export { default } from '*?as=url'
}

declare module '*;2048' {
  export { default } from '*?as=urls'
}

declare module '*=2160' {
  export { default } from '*?as=url'
}

declare module '*;2160' {
  export { default } from '*?as=urls'
}

declare module '*=2400' {
  export { default } from '*?as=url'
}

declare module '*;2400' {
  export { default } from '*?as=urls'
}

declare module '*=2500' {
  export { default } from '*?as=url'
}

declare module '*;2500' {
  export { default } from '*?as=urls'
}

declare module '*=2560' {
  export { default } from '*?as=url'
}

declare module '*;2560' {
  export { default } from '*?as=urls'
}

declare module '*=2880' {
  export { default } from '*?as=url'
}

declare module '*;2880' {
  export { default } from '*?as=urls'
}

declare module '*=3000' {
  export { default } from '*?as=url'
}

declare module '*;3000' {
  export { default } from '*?as=urls'
}

declare module '*=3200' {
  export { default } from '*?as=url'
}

declare module '*;3200' {
  export { default } from '*?as=urls'
}

declare module '*=3840' {
  export { default } from '*?as=url'
}

declare module '*;3840' {
  export { default } from '*?as=urls'
}

declare module '*=4000' {
  export { default } from '*?as=url'
}

declare module '*;4000' {
  export { default } from '*?as=urls'
}

declare module '*=4096' {
  export { default } from '*?as=url'
}

declare module '*;4096' {
  export { default } from '*?as=urls'
}

declare module '*=5120' {
  export { default } from '*?as=url'
}

declare module '*;5120' {
  export { default } from '*?as=urls'
}

declare module '*=7680' {
  export { default } from '*?as=url'
}

declare module '*;7680' {
  export { default } from '*?as=urls'
}
