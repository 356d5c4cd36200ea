export default {
  stories: ['../src/**/*.stories.jsx'],
  framework: '@storybook/react-vite',
  staticDirs: ['../public'],
  core: { disableTelemetry: true },
}
