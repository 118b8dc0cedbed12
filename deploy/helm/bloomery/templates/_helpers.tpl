{{- define "bloomery.selector" -}}
app.kubernetes.io/name: bloomery
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "bloomery.labels" -}}
{{ include "bloomery.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "bloomery.variable" -}}
BLOOMERY_{{ . | replace "." "_" | upper }}
{{- end }}

{{- define "bloomery.container" -}}
image: "{{ required "image.repository is required: the registry that has your image" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  {{- range $name, $_ := .Values.settings }}
  {{- if not (contains "." $name) }}
  {{- fail (printf "settings.%s is no setting: write its whole name in a values file, as in http.url: https://git.example.com" $name) }}
  {{- end }}
  {{- end }}
  {{- $_ := required "settings.http.url is required: the address clients reach the forge at" (index .Values.settings "http.url") }}
  {{- range $name, $value := .Values.settings }}
  {{- if or $.Values.ssh.enabled (ne $name "ssh.port") }}
  - name: {{ include "bloomery.variable" $name }}
    value: {{ $value | toString | quote }}
  {{- end }}
  {{- end }}
  {{- if not .Values.ssh.enabled }}
  - name: BLOOMERY_SSH_PORT
    value: "0"
  - name: BLOOMERY_SSH_LISTEN_PORT
    value: "0"
  {{- end }}
  {{- range .Values.secretFiles }}
  - name: {{ include "bloomery.variable" . }}_FILE
    value: /run/secrets/bloomery/{{ . }}
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
  - name: secrets
    mountPath: /run/secrets/bloomery
    readOnly: true
{{- end }}
