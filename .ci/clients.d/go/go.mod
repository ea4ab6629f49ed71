module pgtower/clients

go 1.26.7

require github.com/kislerdm/neon-sdk-go v0.4.9
