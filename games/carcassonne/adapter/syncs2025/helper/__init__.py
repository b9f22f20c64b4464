"""What bots of the SYNCS 2025 competition import as `helper`."""
